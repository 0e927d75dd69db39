"""A short notice of the site's own tells what is kept back; what people write does not."""

from __future__ import annotations

import pytest

from harvester.access.wall_markers.notices import BY_HAND
from harvester.access.walls import recognise_wall
from harvester.model.wall import Wall, WallScope

TALK = "<p>" + "This is a thread about free software with many words in it. " * 40 + "</p>"


def walls_of(block: str, *, member: bool = True, before: str = TALK) -> list[Wall]:
    """The walls of a long thread in which a block stands."""
    bar = '<a href="/logout.php">Log out</a>' if member else '<a href="/login">Login</a>'
    post = f"<h1>A release</h1><div class=post>{before}{block}</div>"
    html = f"<html><head><title>Thread</title></head><body>{bar}{post}</body></html>"
    return recognise_wall("https://forum.example.org/t/1", 200, {}, html)


REPLY = (
    '<div class="hidetext">此处内容回复可见</div>',
    '<div class="reply-hide">隐藏内容：回复可见</div>',
    "<fieldset><legend>隐藏内容</legend>您需要回复后才能查看</fieldset>",
    "<blockquote>Hidden content: you need to reply to this thread to see it.</blockquote>",
    '<div class="bbcode_hide">[hide] You must reply before you can see the hidden data contained here.</div>',
    '<div class="hidden_block">To see the hidden content, please reply to this topic.</div>',
    '<div class="ipsBox ipsHide">You must reply to this topic to view the content.</div>',
    '<div class="quotecontent">You need to post a reply in order to view this message</div>',
    '<div class="wc_hidden">该内容评论后可见</div>',
    '<div class="tip inlineblock">抱歉，隐藏内容 回复后刷新可见</div>',
    '<div class="hide-box"><p>本内容需要评论审核通过后可见</p></div>',
    '<p class="text-muted">内容被作者隐藏，回复即可查看</p>',
    '<div class="jinsom-hide">🔒 回复可见</div>',
    '<div class="well">This content is hidden. Reply to this post to unlock.</div>',
    '<div class="spoiler">Чтобы увидеть скрытый текст, нужно ответить в теме</div>',
    '<div class="hidebb">Для просмотра скрытого текста нужно более 1 сообщения. Оставьте ответ</div>',
    "<table><tr><td>=> 此帖為隱藏內容，需要回覆後才能瀏覽</td></tr></table>",
    '<div class="protectedcontent">Sorry, you must be a member and reply to see the links</div>',
    '<span class="replyview">内容回复后可见，请先<a href="#reply">回复</a></span>',
    '<div class="e-hide">This section is visible only to members who have replied.</div>',
    '<div class="dhide">以下内容回帖后可以看到</div>',
    '<div class="content-hide-tips"><i></i>此处为隐藏内容，请<b>评论</b>后刷新查看</div>',
    '<div class="x">このコンテンツは返信すると表示されます</div>',
    '<div class="x">숨겨진 내용을 보려면 댓글을 작성하세요</div>',
    '<div class="x">Vous devez répondre pour voir le contenu caché</div>',
    '<div class="x">Sie müssen antworten, um den versteckten Inhalt zu sehen</div>',
    '<div class="x">Debes responder para ver el contenido oculto</div>',
    '<div class="x">Você precisa responder para ver o conteúdo oculto</div>',
    '<div class="x">Bu içeriği görmek için cevap yazmalısınız</div>',
    '<div class="x">Bạn phải trả lời để xem nội dung ẩn</div>',
    '<div class="hide-thanks">Reply or thank this post to see the hidden links.</div>',
)
PAY = (
    '<div class="hidebox">This content costs 30 credits to unlock.</div>',
    '<div class="hidebox">This content is hidden. Price: 50 credits to unlock.</div>',
    '<div class="x">此内容为付费内容，需支付 10 积分后查看</div>',
    '<div class="pay-box">付费内容 售价 5 金币 <a href="/buy?id=1">立即购买</a></div>',
    '<div class="hidebox">You need 100 points to view this content</div>',
    '<div class="hide">需要积分大于 100 才能查看</div>',
    '<div class="lock">本帖售价 20 贡献，购买后可见</div>',
)
MORE_POSTS = (
    '<div class="hide">You must have at least 50 posts to see this content</div>',
    '<div class="hide">Для просмотра нужно не менее 10 сообщений</div>',
)
THANK = (
    '<div class="hidebox">You must thank the author to see the hidden links.</div>',
    '<div class="hide-thanks">Press the Thanks button to see this content</div>',
    '<div class="hidebox">Click the like button to see the content</div>',
    '<div class="x">点赞后可见</div>',
    '<div class="hide">感谢作者后才能查看隐藏内容</div>',
    '<div class="x">Hidden: Like this post to see the link</div>',
    '<div class="x">Нажмите «Спасибо», чтобы увидеть ссылку</div>',
)
LOGIN = (
    '<div class="x">Please login or register to see links.</div>',
    '<div class="messageHide">*** You do not have sufficient rights to view the hidden text. ***</div>',
    '<div class="x">You are not allowed to view links. <a href="/reg">Register</a> or Login</div>',
    '<div class="guest_nolink">Guests cannot see links in the messages. Please register.</div>',
    '<div class="x">登录后可见下载地址</div>',
    '<div class="x">此处内容登录可见</div>',
    "<div>游客，您需要登录才能下载附件</div>",
    '<p class="Info">[Only registered and activated users can see links]</p>',
    "<p>[Sólo los usuarios registrados pueden ver los enlaces]</p>",
    "<p>Links nur für registrierte Benutzer sichtbar</p>",
    "<p>Ссылки доступны только зарегистрированным пользователям</p>",
    "<p>Hidden links visible for members only</p>",
    "<p class=hint>Sign in to view attachments</p>",
    "<p>請登入後檢視附件</p>",
)
NOTHING = (
    "<p>How to reply to see changes: you reply and I will see it.</p>",
    "<p>I must reply to this later when I have seen it.</p>",
    "<p>要想回复可见的快捷键，请看这里，教程说明回复后可见变化。</p>",
    "<p>Log in to your server with ssh and you must restart it</p>",
    "<p>Reply to: see the README</p>",
    "<form id=reply><textarea></textarea><p>You must reply to see the hidden content</p></form>",
    "<p>price: 5 credits the game costs</p>",
    '<div class="sidebar">Users online: registered users only</div>',
    '<div class="notice">You must be logged in to reply to this topic.</div>',
    "<p>You need to log in to reply to this thread</p>",
    "<div class=x>Please reply to this topic if it helps.</div>",
    "<div>Please login to post a comment</div>",
    "<div class=tip>回复本帖</div>",
    "<p>请登录后发表回复</p>",
    "<div>登录后才可以回帖</div>",
    "<div class=hint>发表回复 查看更多</div>",
    "<li>评论后查看次数 12</li>",
    "<p>Show hidden comments</p>",
    "<div>View comments (5)</div>",
    '<div class="alert">Please read the rules before you post a reply.</div>',
    "<p>You may not post replies. You may not view attachments.</p>",
    "<p>Sort by: most liked, to see the newest comments</p>",
    "<span>Sign up to see the newest posts!</span>",
    "<td>Reply</td><td>View</td>",
    "<p>Price: 20 credits</p>",
    '<div><a href="/f/3">Login to see links</a></div>',
    "<h2>You must reply to see the hidden content</h2>",
    "<p>感谢分享，下载看看</p>",
    '<a class="hidden" href="/t/1">回复可见</a>',
)


@pytest.mark.parametrize("block", REPLY)
def test_what_a_reply_opens_is_known_in_many_words(block: str) -> None:
    (wall,) = [one for one in walls_of(block) if one.kind == "reply"]
    assert (wall.scope, ":" in wall.evidence) == (WallScope.PART, True)


@pytest.mark.parametrize("block", PAY)
def test_what_is_for_points_is_known_and_says_how_many(block: str) -> None:
    (wall,) = walls_of(block)
    assert wall.kind == "pay"
    assert wall.needed[:1].isdigit()


def test_what_wants_more_posts_is_no_wall_that_one_reply_opens() -> None:
    for block in MORE_POSTS:
        (wall,) = walls_of(block)
        assert (wall.kind, wall.needed.isdigit()) == ("permission", True)


@pytest.mark.parametrize("block", THANK)
def test_what_a_thanks_button_opens_is_left_to_the_operator(block: str) -> None:
    (wall,) = walls_of(block)
    assert (wall.kind, wall.opens_by) == ("permission", BY_HAND)


@pytest.mark.parametrize("block", LOGIN)
def test_what_members_may_see_is_known_to_a_guest(block: str) -> None:
    assert {one.kind for one in walls_of(block, member=False)} & {"login", "permission"}


@pytest.mark.parametrize("block", NOTHING)
@pytest.mark.parametrize("member", [True, False])
def test_what_people_write_and_menus_say_is_no_wall(block: str, member: bool) -> None:
    assert walls_of(block, member=member) == []


def test_a_sentence_in_a_long_text_is_no_notice() -> None:
    assert (
        walls_of("<p>" + "word " * 60 + "You must reply to see the hidden content." + " word" * 60 + "</p>")
        == []
    )


def test_a_page_of_nothing_but_triggers_takes_bounded_time() -> None:
    assert len(walls_of("<p>you must reply to see it all</p>" * 50_000)) <= 2
