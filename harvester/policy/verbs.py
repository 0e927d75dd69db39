"""The words that name a change on a site, with how far each can be trusted.

A word alone proves nothing: `/delete/55` deletes, `/tag/delete` is a tag. `Strength` says where a word
is taken for an action; `policy.never_fetch` looks at the place it stands in.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache


def words(text: str) -> frozenset[str]:
    """The blank-separated words of a table."""
    return frozenset(text.split())


class Strength(IntEnum):
    """Where a word names an action."""

    PARAMETER = 0
    """Only as the value of an action parameter (`action=send`)."""
    AFTER_ID = 1
    """Also as the last path segment after an id (`/posts/55/like`)."""
    BESIDE_ID = 2
    """Also before an id (`/edit/55`), alone at the root (`/donate`), and as a script (`/edit.php`)."""
    ANYWHERE = 3
    """As any path segment but one that is plainly a name (`/tag/logout`)."""


_WORDS: dict[tuple[str, Strength], str] = {
    ("logout", Strength.ANYWHERE): (
        "logout signout logoff logoutuser userlogout log-out sign-out log_out sign_out do_logout tuichu "
        "退出 注销 登出 退出登录 安全退出"
    ),
    ("delete", Strength.ANYWHERE): (
        "delete del destroy unlink trash untrash deletepost fastdelete shanchu 删除 移除 delete_cookies"
    ),
    ("delete", Strength.AFTER_ID): "remove",
    ("delete", Strength.PARAMETER): "clear empty reset purge cleanup clearcookies",
    ("edit", Strength.BESIDE_ID): "edit modify editpost takeedit editxml revise 编辑 修改 bianji",
    ("edit", Strength.AFTER_ID): "update rename",
    ("edit", Strength.PARAMETER): "save set submit protect unprotect rollback revert restore",
    ("vote", Strength.ANYWHERE): "upvote downvote votepoll castvote votepost unvote toupiao 投票",
    ("vote", Strength.BESIDE_ID): "vote vote-up vote-down",
    (
        "rate",
        Strength.ANYWHERE,
    ): "ratethread threadrate takerate takerating modifykarma userrate pingfen 评分",
    ("rate", Strength.AFTER_ID): "rate rating recommend click karma applaud smite",
    ("thank", Strength.ANYWHERE): (
        "post_thanks post_thanks_add post-thanks sendthanks thx dianzan zan 感谢 点赞 致谢"
    ),
    ("thank", Strength.BESIDE_ID): "thank thanks unthank",
    (
        "thank",
        Strength.AFTER_ID,
    ): "like unlike likes react reaction reactions dislike love endorse reputation",
    ("report", Strength.ANYWHERE): "submit_report reporttm takereport jubao 举报",
    ("report", Strength.BESIDE_ID): "report flag",
    ("report", Strength.PARAMETER): "spam warn",
    ("post_form", Strength.ANYWHERE): (
        "newreply newthread newtopic newpoll newpm newattachment create-thread "
        "create-topic postreply postthread post-reply post-thread add-reply addreply "
        "quickreply fastreply doreply fastpost postcomment wp-comments-post write-review add-comment "
        "sendthread sendtopic emailuser huifu 回复 引用 发帖 发表 发新话题"
    ),
    ("post_form", Strength.BESIDE_ID): "reply quote upload compose repost bump 上传",
    ("post_form", Strength.AFTER_ID): "comment create new reseed",
    ("post_form", Strength.PARAMETER): (
        "post2 post add insert postreview send email mail forward share apply publish quotefast smilies"
    ),
    ("mark_read", Strength.ANYWHERE): (
        "markread mark-read markasread mark_read mark-as-read mark-all-read markallread catchup 标记已读"
    ),
    ("mark_read", Strength.PARAMETER): "mark unread markunread markpatrolled",
    ("subscribe", Strength.ANYWHERE): (
        "unsubscribe unfollow unwatch unwatchtopic addsubscription removesubscription notifyboard notifytopic"
    ),
    ("subscribe", Strength.BESIDE_ID): "subscribe",
    ("subscribe", Strength.AFTER_ID): "watch follow ignore notify 关注 订阅",
    ("subscribe", Strength.PARAMETER): "addfollow friend buddy addfriend addlist poke",
    (
        "bookmark",
        Strength.ANYWHERE,
    ): "addbookmark add-bookmark removebookmark unbookmark addfavorite shoucang",
    ("bookmark", Strength.BESIDE_ID): "bookmark favorite favourite favorites unfavorite",
    ("bookmark", Strength.AFTER_ID): "collect fav star unstar 收藏",
    ("messages", Strength.ANYWHERE): "sendmessage sendpm sendmsg privmsg direct-messages",
    ("messages", Strength.PARAMETER): "pm inbox private message privatemessage pmview notice ucp_pm",
    ("pay", Strength.ANYWHERE): (
        "attachpay attachcredit buytopic buythread buyattach buytorrent purchase checkout add-to-cart "
        "addtocart payments goumai chongzhi dashang 购买 支付 充值 打赏"
    ),
    ("pay", Strength.BESIDE_ID): "pay buy donate donation donations cart mybonus 捐赠 赞助 捐款",
    ("pay", Strength.AFTER_ID): "freeleech_token freeleech tip gift reward exchange",
    ("pay", Strength.PARAMETER): "transfer recharge usetoken bonus credit magic lottery draw",
    ("check_in", Strength.ANYWHERE): (
        "checkin check-in check_in attendance qiandao dailycheck daka punch dopunch dosign paulsign 签到 打卡"
    ),
    ("check_in", Strength.PARAMETER): "sign",
    ("invite", Strength.BESIDE_ID): "invite invites invitation invitations sendinvite yaoqing 邀请",
    ("moderate", Strength.ANYWHERE): "moderation inlinemod topicadmin modcp modtask mcp wp-admin",
    (
        "moderate",
        Strength.AFTER_ID,
    ): "ban unban lock unlock lockvoting pin unpin stick unstick move merge split approve",
    ("moderate", Strength.PARAMETER): (
        "sticky movetopic splittopics removetopic removetopic2 activate deactivate enable disable "
        "block unblock accept reject join leave quit cancel"
    ),
    ("settings", Strength.ANYWHERE): "dismiss-notice dismiss",
    ("settings", Strength.PARAMETER): "spacecp collapse",
}

VERBS: dict[str, tuple[str, Strength]] = {}
"""Each word with its reason and its greatest strength."""
for (_reason, _strength), _line in _WORDS.items():
    for _word in _line.split():
        if _word not in VERBS or VERBS[_word][1] < _strength:
            VERBS[_word] = (_reason, _strength)

_COMPOSITE = re.compile(
    r"(?:(?:do|take|add|ajax|quick|fast|batch|mass|inline|go|act|my|user|confirm|submit|undo|un|re)[-_]?)?"
    r"(logout|delete|del|remove|edit|vote|rate|thank|thanks|like|report|reply|quote|subscribe|unsubscribe|"
    r"subscription|watch|follow|bookmark|favorite|favourite|buy|pay|invite|donate|newreply|newthread|mark)"
    r"[-_]?(?:post|posts|thread|threads|topic|topics|msg|message|messages|comment|comments|torrent|torrents|"
    r"forum|forums|board|boards|attachment|attachments|file|pm|poll|item|user|account|group|form|all|read|add|"
    r"submit|confirm|do)?\d?"
)
_COMPOSITE_REASON = {
    "subscription": "subscribe",
    "del": "delete",
    "mark": "mark_read",
    "newreply": "post_form",
    "newthread": "post_form",
    "reply": "post_form",
    "quote": "post_form",
}

READ_ACTIONS = words(
    "download dl dlattach get getattach attach attachment attachments file view show display index list "
    "browse search find advanced results rss feed atom syndication print printable profile viewprofile "
    "viewthread viewtopic forumdisplay showthread showforum thread topic forum board details detail "
    "torrent torrents login register logging calendar stats help faq lastpost newpost nextnewest "
    "nextoldest unread new today hot team group whoposted redirect newposts getnew active_topics "
    "unanswered recent archive raw history diff info space redirect announcement guide collection tag "
    "portal article misc seccode secqaa captcha verify confirm"
)
"""Values of action parameters that only read: a token beside them does no harm."""


@lru_cache(maxsize=8192)
def verb(word: str) -> tuple[str, Strength] | None:
    """The reason and strength of a lower-case word that names a change, or None.

    Knows compounds of a verb and its object too (`do_editpost`, `addbookmark`, `removetopic2`).
    """
    found = VERBS.get(word)
    if found is not None or len(word) > 40 or word in READ_ACTIONS:
        return found
    compound = _COMPOSITE.fullmatch(word)
    if compound is None:
        return None
    base = compound[1]
    if base in _COMPOSITE_REASON:
        return _COMPOSITE_REASON[base], Strength.BESIDE_ID
    reason, strength = VERBS[base]
    return reason, max(strength, Strength.BESIDE_ID)
