"""Walls are recognised and named on real recordings and in every family; other pages are left alone."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from harvester.access.walls import recognise_wall
from harvester.model.wall import WallKind, WallScope
from tests.access.recordings import Answer, answers, truth

# truth.tsv's names -> ours
KIND = {
    "login": WallKind.LOGIN,
    "reply": WallKind.REPLY,
    "pay": WallKind.PAY,
    "readperm": WallKind.PERMISSION,
}
SITES = ("discuz35", "phpbb", "mybb", "machina")
CONTENT = "<p>" + "A release with its notes, its file list and what people say of it. " * 40 + "</p>"


def kinds(url: str, html: str, status: int = 200, **headers: str) -> list[str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return [str(wall.kind) for wall in recognise_wall(url, status, named, html)]


def of_recording(answer: Answer, site: str = "") -> set[WallKind]:
    return {
        wall.kind
        for wall in recognise_wall(answer.url, answer.status, answer.headers, answer.html, engine=site)
    }


def walls_of_topics(site: str) -> dict[str, set[str]]:
    """Topic number -> the walls that truth.tsv names for what is in it."""
    found: dict[str, set[str]] = {}
    for row in truth(site):
        topic = Answer(row["page_url"], 200, {}, "").topic
        found.setdefault(topic, set()).update(row["wall"].split("+"))
    return found


# What a guest sees of a walled item: Discuz shows the locked block, the price, the box "log in to see more";
# phpBB a notice below the post; MyBB nothing on the page (the download itself refuses); machina nothing.
@pytest.mark.parametrize(("site", "at_least"), [("discuz35", 25), ("phpbb", 12)])
@pytest.mark.parametrize("hinted", [True, False])
def test_every_wall_that_a_guest_sees_on_a_topic_page_is_named(
    site: str, at_least: int, hinted: bool
) -> None:
    expected = walls_of_topics(site)
    checked = 0
    for answer in answers(site, "focus_anon"):
        walls = expected.get(answer.topic, set()) - {"none"}
        if not answer.is_topic_page or not walls or "&start=" in answer.url:
            continue
        found = of_recording(answer, site if hinted else "")
        shown = {KIND[wall] for wall in walls}
        # Where a board lets members only see attachments, a guest is told nothing of their price or level.
        assert found >= shown or WallKind.LOGIN in found, (answer.url, found, shown)
        assert found <= shown | {WallKind.LOGIN}, (answer.url, found, shown)
        checked += 1
    assert checked >= at_least


@pytest.mark.parametrize("recording", ["focus_anon", "focus_login"])
@pytest.mark.parametrize("site", SITES)
def test_a_topic_without_a_wall_is_not_called_walled(site: str, recording: str) -> None:
    expected = walls_of_topics(site)
    checked = 0
    for answer in answers(site, recording):
        if answer.is_topic_page and expected.get(answer.topic) == {"none"}:
            assert of_recording(answer) == set(), answer.url
            checked += 1
    assert checked >= 20


@pytest.mark.parametrize("site", SITES)
def test_indexes_and_lists_are_not_called_walled(site: str) -> None:
    lists = [
        a for a in answers(site, "focus_anon") if not a.is_topic_page and a.html and "attach" not in a.url
    ]
    assert len(lists) >= 5
    for answer in lists:
        assert of_recording(answer) == set(), answer.url


@pytest.mark.parametrize("site", SITES)
def test_a_download_that_succeeds_is_not_called_walled(site: str) -> None:
    files = [answer for answer in answers(site, "focus_anon") if not answer.html]
    assert len(files) >= 13
    for answer in files:
        assert of_recording(answer) == set(), answer.url


def test_a_refused_attachment_of_mybb_is_behind_login_though_its_status_is_200() -> None:
    walled = {row["url"] for row in truth("mybb") if row["wall"] == "login"}
    refused = [answer for answer in answers("mybb", "focus_anon") if answer.url in walled]
    assert len(refused) == 16
    for answer in refused:
        walls = recognise_wall(answer.url, answer.status, answer.headers, answer.html)
        assert [(wall.kind, wall.scope, wall.engine) for wall in walls] == [
            (WallKind.LOGIN, WallScope.PAGE, "mybb")
        ]


def test_a_refused_attachment_of_discuz_is_behind_permission_though_its_status_is_200() -> None:
    for recording, count in (("focus_anon", 2), ("focus_login", 5)):
        refused = [a for a in answers("discuz35", recording) if "mod=attachment" in a.url and a.html]
        assert len(refused) == count
        for answer in refused:
            walls = recognise_wall(answer.url, answer.status, answer.headers, answer.html)
            assert [(wall.kind, wall.scope) for wall in walls] == [(WallKind.PERMISSION, WallScope.PAGE)]


def test_price_and_read_level_are_told() -> None:
    needed = {
        (wall.kind, wall.needed)
        for answer in answers("discuz35", "focus_anon")
        for wall in recognise_wall(answer.url, answer.status, answer.headers, answer.html)
        if wall.needed
    }
    assert needed == {(WallKind.PAY, "5 金钱"), (WallKind.PAY, "3 金钱"), (WallKind.PERMISSION, "100")}


def test_a_reply_opens_the_wall_that_the_page_showed() -> None:
    pages = [a for a in answers("discuz35", "reply") if a.is_topic_page]
    states: dict[str, list[bool]] = {}
    for answer in pages:
        states.setdefault(answer.topic, []).append(WallKind.REPLY in of_recording(answer))
    assert len(states) == 10
    assert all(seen[-1] is False for seen in states.values())
    assert sum(seen[0] for seen in states.values()) == 9


def test_pages_that_ask_a_guest_to_log_in_are_named_on_a_blind_crawl() -> None:
    posting = [a for a in answers("phpbb", "anon") if "/posting.php?" in a.url]
    assert len(posting) > 50
    for answer in posting:
        assert of_recording(answer) == {WallKind.LOGIN}
    for answer in answers("discuz35", "anon"):
        if 'id="messagetext"' in answer.html and "登录" in answer.html.split('id="messagetext"')[1][:200]:
            assert WallKind.LOGIN in of_recording(answer), answer.url


def test_a_login_page_that_was_asked_for_is_no_wall() -> None:
    for site in ("phpbb", "discuz35"):
        asked = [a for a in answers(site, "anon") if "mode=login" in a.url or "action=login" in a.url]
        assert asked
        for answer in asked:
            assert of_recording(answer) == set(), answer.url


DISCUZ = '<div id="messagetext" class="alert_info"><p>{}</p></div>'
FAMILIES = [
    ("discuz referer", DISCUZ.format("抱歉，请不要从外部链接下载本站附件"), "referer"),
    ("discuz level", DISCUZ.format("抱歉，本帖要求阅读权限高于 50 才能浏览"), "permission"),
    ("discuz group", DISCUZ.format("抱歉，您所在的用户组(新手上路)无法进行此操作"), "permission"),
    ("discuz login", DISCUZ.format("抱歉，您尚未登录，没有权限下载本附件"), "login"),
    ("discuz traditional", DISCUZ.format("抱歉，您需要先登錄才能繼續本操作"), "login"),
    ("discuz 7 box", '<div class="postbox"><div class="alert_error"><p>对不起，您还没有登录，请先登录后访问</p></div></div>', "login"),
    ("discuz 7 hide", '<div class="locked">本帖隐藏的内容需要回复才可以浏览</div>' + CONTENT, "reply"),
    ("discuz 6 hide", '<div class="notice" style="width: 500px">本帖隐藏的内容需要回复才可以浏览</div>' + CONTENT, "reply"),
    ("discuz points", '<div class="locked">本帖隐藏的内容需要积分高于 100 才可浏览</div>' + CONTENT, "pay"),
    ("discuz post password", '<div class="locked">本帖为密码帖，请输入密码 <input id="postpw_12"></div>' + CONTENT, "password"),
    ("discuz ajax", '<?xml version="1.0" encoding="utf-8"?>\r\n<root><![CDATA[抱歉<script>if(typeof errorhandle_x==\'function\') {errorhandle_x(\'抱歉，您尚未登录\', {});}</script>]]></root>', "login"),
    ("phpbb members' board", '<form id="login" action="./ucp.php?mode=login" method="post"><h2 class="login-title">The board requires you to be registered and logged in to view this forum.</h2><input type="password" name="password"></form>', "login"),
    ("phpbb ban", '<div class="panel" id="message"><p>You have been permanently banned from this board.</p></div>', "ban"),
    ("phpbb referer", '<div class="panel" id="message"><p>You are not authorised to view, download or link from/to this site.</p></div>', "referer"),
    ("phpbb board password", '<form id="login_forum"><p>This forum requires a password</p><input type=password name=password></form>', "password"),
    ("mybb ban", '<table class="tborder"><td class="trow1">I\'m sorry, but you are banned from this forum</td></table>', "ban"),
    ("smf members only", '<form id="frmLogin"><p class="information">Warning! Only registered members are allowed to access this section. Please login below</p><input type=password name=passwrd></form>', "login"),
    ("smf two-factor", '<form id="frmTfa"><input name="tfa_code"></form>', "second_factor"),
    ("smf not allowed", '<div id="fatal_error"><div class="roundframe">You are not allowed to access this section</div></div>', "permission"),
    ("vbulletin login", '<div class="standard_error"><h2>vBulletin Message</h2><p>You are not logged in or you do not have permission to access this page.</p></div>', "login"),
    ("vbulletin permission", '<div class="standard_error">anna, you do not have permission to access this page. <a href="login.php?do=logout&logouthash=1">out</a></div>', "permission"),
    ("vbulletin board password", '<form action="forumdisplay.php?do=enterpwd"><input type=password name=newforumpwd></form>', "password"),
    ("xenforo login", '<html id="XF" data-template="login" data-logged-in="false"><div class="blockMessage">You must be logged-in to do that.</div>', "login"),
    ("xenforo two-step", '<html id="XF" data-template="login_two_step"><form></form>', "second_factor"),
    ("xenforo hide", '<div class="bbCodeBlock bbCodeBlock--hide bbCodeBlock--hidden">You need to reply to this in order to see this content.</div>' + CONTENT, "reply"),
    ("xenforo thanks", '<div class="hideBlock hideBlock--hidden">You need to react to this post to see it</div>' + CONTENT, "permission"),
    ("nexusphp login", '<h1>未登录!</h1><p>错误: 该页面必须在登录后才能访问</p>', "login"),
    ("nexusphp rights", '<table><td class="embedded"><h2>错误</h2>权限不足</td></table>', "permission"),
    ("nexusphp rules", '<form action="downloadnotice.php?torrentid=1"><input type=submit value=ok></form>' + CONTENT, "permission"),
    ("gazelle ban", '<form id="loginform"><span class="warning">Your IP has been banned.</span></form>', "ban"),
    ("unit3d two-factor", '<form action="/two-factor-challenge" method="post"><input name=code></form>', "second_factor"),
    ("torrentpier attachment", '<h1 class="attach_link"><a href="profile.php?mode=register">Register to download</a></h1>' + CONTENT, "login"),
    ("phpwind hide", '<div class="content_hidden" id="J_need_reply">本部分内容设定了隐藏,需要回复后才能看到</div>' + CONTENT, "reply"),
    ("phpwind 8.7 sale", '<h6 class="quoteTips" id="hidden_1_2">此帖售价 5 铜币 <a href="job.php?action=buytopic">购买</a></h6>' + CONTENT, "pay"),
    ("phpwind points", "<blockquote>本部分内容设定了加密,需要100以上的积分才能浏览</blockquote>" + CONTENT, "pay"),
    ("phpwind attachment", '<div class="error_wrap">游客无法下载，请登录后操作</div>', "login"),
    ("django", "<body><p>Please log in to see this page</p></body>", "login"),
    ("django forbidden", "<body><p>Your account doesn't have access to this page.</p></body>", "permission"),
    ("russian", "<h1>Вход</h1><div class=message>Вы должны войти, чтобы скачать торрент</div>", "login"),
    ("japanese", "<div class=error>このページを見るにはログインが必要です</div>", "login"),
    ("english", "<h2>Members area</h2><p>You must be logged in to download this file.</p>", "login"),
    ("english captcha", "<h2>One more step</h2><p>Please enter the characters you see in the picture.</p><img src=captcha.png>", "captcha"),
    ("waiting", "<div class=notice>Your account is awaiting approval by the staff.</div>", "moderation"),
    ("banned", "<h1>Sorry</h1><p>Your IP address has been banned.</p>", "ban"),
    ("hot link", "<h1>Error</h1><p>Hotlinking is not allowed, go to the page first.</p>", "referer"),
    ("login form alone", "<title>Example</title><form action=/in method=post><input name=u><input type=password name=p></form>", "login"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "kind"), [pytest.param(h, k, id=i) for i, h, k in FAMILIES])
def test_the_walls_of_every_family_are_named(html: str, kind: str) -> None:
    found = kinds("https://forum.example.org/viewthread/12", html)
    assert found[:1] == [kind]


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("/login/?next=/attachment/3/", ["login"]),
        ("https://example.org/login.php?returnto=details.php%3Fid%3D1", ["login"]),
        ("member.php?mod=logging&action=login", ["login"]),
        ("index.php?m=u&c=login", ["login"]),
        ("/login/two-step?provider=totp", ["second_factor"]),
        ("downloadnotice.php?torrentid=3&type=ratio", ["permission"]),
        ("/topic/log-in-problems-solved/", []),
        ("/details/12?from=/login", []),
        ("/blog/index.html", []),
    ],
)
def test_a_redirect_to_a_login_address_is_a_login_wall(location: str, expected: list[str]) -> None:
    assert kinds("https://example.org/attachment/3/", "", 302, location=location) == expected


def test_a_page_reached_by_a_redirect_to_a_login_address_is_a_login_wall() -> None:
    walls = recognise_wall(
        "https://example.org/attachment/3/",
        200,
        {},
        "<form></form>",
        final_url="https://example.org/login/?next=x",
    )
    assert [wall.kind for wall in walls] == [WallKind.LOGIN]


@pytest.mark.parametrize(
    ("status", "html", "expected"),
    [
        (401, "", ["login"]),
        (402, "", ["pay"]),
        (403, "", ["permission"]),
        (403, "<p>Forbidden. <a href='/login'>Log in</a></p>", ["login"]),
        (403, "<p>Forbidden.</p>", ["permission"]),
        (404, "<p>Not here</p>", []),
        (500, "<p>Oops</p>", []),
    ],
)
def test_a_refusing_status_is_a_wall(status: int, html: str, expected: list[str]) -> None:
    assert kinds("https://example.org/file/3", html, status) == expected


def test_smf_answers_404_to_whoever_may_not_see_an_attachment() -> None:
    url = "https://example.org/index.php?action=dlattach;topic=3.0;attach=9"
    assert kinds(url, "<p>404 File Not Found</p>", 404) == ["login"]


def test_an_empty_download_lacks_its_referer() -> None:
    assert kinds("https://example.org/attachment.php?aid=3", "", 200, content_length="0") == ["referer"]
    assert kinds("https://example.org/topic/3", "", 200, content_length="0") == []


WIDGET = '<form action=/verify><div class="g-recaptcha" data-sitekey="x"></div></form>'


@pytest.mark.parametrize(
    ("status", "headers", "html"),
    [
        (403, {"cf_mitigated": "challenge"}, "<title>Just a moment...</title>"),
        (202, {"x_amzn_waf_action": "challenge"}, ""),
        (403, {"server": "ddos-guard"}, "<h1>Checking</h1>"),
        (
            503,
            {},
            "<title>Just a moment...</title><script src=/cdn-cgi/challenge-platform/h/b/x.js></script>",
        ),
        (200, {}, '<form id="challenge-form" action="/?__cf_chl=1"></form>' + CONTENT),
        (200, {}, "<h1>Are you human?</h1>" + WIDGET),
        (403, {}, CONTENT + '<div class="cf-turnstile"></div>'),
        (200, {}, '<p>wait</p><div class="h-captcha"></div>'),
        (200, {}, '<div class="geetest_captcha"></div>'),
    ],
)
def test_challenges_are_named(status: int, headers: dict[str, str], html: str) -> None:
    assert kinds("https://example.org/t/1", html, status, **headers)[:1] == ["challenge"]


@pytest.mark.parametrize(
    ("url", "html"),
    [
        (
            "https://example.org/t/1",
            CONTENT + "<script src=https://www.google.com/recaptcha/api.js></script>",
        ),
        ("https://example.org/t/1", CONTENT + "<a href=/register class=g-recaptcha-link>Register</a>"),
        (
            "https://example.org/t/1",
            CONTENT + "<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>",
        ),
        ("https://example.org/t/1", CONTENT + WIDGET),
        ("https://example.org/register", "<h1>Register</h1>" + WIDGET),
        ("https://example.org/t/1", CONTENT + "<p>Cloudflare's cf-turnstile is a captcha.</p>"),
    ],
)
def test_a_captcha_script_on_an_ordinary_page_is_no_wall(url: str, html: str) -> None:
    assert kinds(url, html) == []


QUICK = (
    "<form action=/login method=post><input name=u><input type=password name=p><button>Log in</button></form>"
)


@pytest.mark.parametrize(
    "html",
    [
        f"<header>{QUICK}</header><h1>Topic</h1><a href=a.torrent>a</a>",
        f"<div id=header>{QUICK}</div><h1>Topic</h1><p>short</p>",
        f"<div class='modal' style='display: none;'>{QUICK}</div><h2>Login problems</h2>",
        f"<nav>{QUICK}</nav><title>Sign in sheets - documents</title>",
        f"<title>A board</title><h1>Debian 12</h1>{QUICK}<p>magnet links below</p>",
        f"<title>Register</title>{QUICK.replace('</form>', '<input type=password name=p2></form>')}",
        CONTENT + "<p>You must be logged in to post a comment.</p>",
        CONTENT + "<div class=notice>You must be logged in to reply to this topic.</div>",
        CONTENT + "<div class=notice>您需要登录后才可以回帖 登录 | 立即注册</div>",
        CONTENT + "<p>He wrote: 请不要从外部链接下载本站附件, what does it mean?</p>",
        CONTENT + '<div class="locked">This thread is locked.</div>',
        CONTENT + '<div class="showhide"><h4>本帖隐藏的内容</h4>magnet</div>',
        CONTENT + '<div class="content_hidden"><h6>您已回复过了</h6>magnet</div>',
        CONTENT + '<div class="bbCodeBlock bbCodeBlock--hide bbCodeBlock--visible">magnet</div>',
        "",
        "plain text",
    ],
)
def test_a_readable_page_is_no_wall(html: str) -> None:
    assert kinds("https://example.org/topic/5", html) == []


def test_the_whole_page_comes_before_its_parts() -> None:
    html = '<div class="locked">如果您要查看本帖隐藏内容请<a>回复</a></div><div class="attach_nopermission">登录</div>'
    walls = recognise_wall("https://example.org/t", 403, {}, html + DISCUZ.format("您尚未登录"))
    assert [(wall.kind, wall.scope) for wall in walls] == [
        (WallKind.LOGIN, WallScope.PAGE),
        (WallKind.REPLY, WallScope.PART),
    ]
    assert all(wall.evidence and wall.opens_by for wall in walls)


def test_a_tree_of_the_caller_is_only_read() -> None:
    answer = next(a for a in answers("discuz35", "focus_anon") if a.topic == "48")
    tree = LexborHTMLParser(answer.html)
    before = tree.html
    shared = recognise_wall(answer.url, 200, answer.headers, answer.html, tree=tree)
    assert tree.html == before
    assert shared == recognise_wall(answer.url, 200, answer.headers, answer.html)
    assert shared


PIECES = st.sampled_from(
    [
        "<div class=locked>",
        "</div>",
        "<form>",
        "<input type=password>",
        "登录",
        "<",
        "&",
        "�",
        "<script>",
        "<!--",
        "id=messagetext",
        "请先登录",
        "banned",
        "g-recaptcha",
        "<?xml",
        "<![CDATA[",
        "\x00",
        "log out",
        "href=logout",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=60),
    st.integers(0, 999),
    st.dictionaries(
        st.sampled_from(["location", "server", "cf-mitigated", "content-length"]), st.text(max_size=30)
    ),
    st.lists(PIECES | st.text(max_size=10), max_size=30).map("".join),
    st.text(max_size=40),
)
def test_no_answer_makes_it_raise(
    url: str, status: int, headers: dict[str, str], html: str, final: str
) -> None:
    for wall in recognise_wall(url, status, headers, html, final_url=final):
        assert len(wall.evidence) <= 200


@pytest.mark.parametrize(
    "piece",
    [
        "<div class=locked>",
        "<script",
        "<!--",
        "<div id=messagetext>",
        "<form><input type=password>",
        "<a href=logout",
        "must be logged in ",
        "<dl class=tattl><dd><p>阅读权限: <strong>",
        "log out ",
    ],
)
def test_five_megabytes_of_hostile_markup_take_bounded_time(piece: str) -> None:
    html = piece * (5_000_000 // len(piece))
    start = time.process_time()
    recognise_wall("https://example.org/t", 200, {}, "请先登录 type=password " + html)
    assert time.process_time() - start < 6
