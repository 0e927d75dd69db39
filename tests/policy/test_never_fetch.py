"""A crawl changes nothing on a site, and loses no page over it."""

from __future__ import annotations

import csv
import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from harvester.links import extract_links
from harvester.model.site import Role
from harvester.patterns.engines import never_fetched_by, shipped_engines
from harvester.patterns.rules import RuleSet
from harvester.policy.never_fetch import refusal

CONTENT = frozenset({Role.LIST, Role.FLIP, Role.DETAIL, Role.DOWNLOAD})
SPENDS = re.compile(r"hash=[0-9a-f]{8}&|formhash=|action=(?:logout|lastpost)|mode=(?:bump|delete)")
SITES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "sites"

REFUSED = """
logout          member.php?mod=logging&action=logout&formhash=a1b2c3d4
logout          logging.php?action=logout&formhash=12345678
logout          ucp.php?mode=logout&sid=5c2dd1ab8104509042b8add3b9049aa7
logout          member.php?action=logout&logoutkey=0123456789abcdef
logout          index.php?action=logout;f3c2=8a7b
logout          login.php?do=logout&logouthash=1700000000-abc
logout          login.php?logout=1
logout          logout.php
logout          logout.php?auth=abc
logout          logout
logout          logout/?t=1700,abc
logout          account/logout
logout          wp-login.php?action=logout&_wpnonce=abc
logout          index.php?title=Special:UserLogout
logout          wiki/Special:UserLogout
logout          index.php?m=u&c=login&a=logout
logout          index.php?act=%E9%80%80%E5%87%BA
logout          %E6%B3%A8%E9%94%80
logout          signout
logout          log-out.html
logout          user.php?op=signout
delete          comment.php?action=delete&cid=5&type=torrent
delete          torrents/55/delete
delete          delete/55
delete          delete.php?id=55
delete          fastdelete.php?id=55
delete          posts/12/delete
delete          ucp.php?mode=delete_cookies
delete          index.php?action=deletemsg;topic=5.0;msg=9;f3c2=8a7b
delete          attachment/7/remove
delete          admin.php?cmd=shanchu&id=4
one_time_token  wp-admin/comment.php?action=trashcomment&c=28&_wpnonce=1a2b
edit            index.php?title=Ubuntu&action=edit
edit            torrents.php?action=editgroup&groupid=5
edit            edit.php?id=77
edit            editpost.php?do=editpost&p=9
edit            topic/some-slug-9/12/post/update/
edit            posts/12/edit
moderate        wp-admin/edit.php
vote            poll.php?do=vote&pollid=4
vote            forum.php?mod=misc&action=votepoll&fid=2&tid=5
vote            viewtopic.php?t=5&vote=2
vote            polls/5/vote
vote            item/5/upvote
vote            vote/5
rate            ratethread.php?tid=9&rating=5
rate            threadrate.php?t=9
rate            forum.php?mod=misc&action=rate&tid=1&pid=2
rate            takerate.php?id=5
thank           thanks.php?id=5
thank           torrents.php?action=thank&torrentid=5
thank           torrents/5/thank
thank           posts/12/like
thank           posts/12/react?reaction_id=1
thank           post_thanks.php?do=post_thanks_add&p=5
thank           index.php?action=likes;sa=like;ltype=msg;like=7
report          app.php/post/3/report
report          report.php?torrent=5
report          posts/12/report
report          reports.php?action=report&type=torrent&id=5
report          index.php?action=reporttm;topic=5.9;msg=9
report          view/123/submit_report
post_form       forum.php?mod=post&action=reply&fid=2&tid=5
post_form       forum.php?mod=misc&action=comment&tid=1&pid=2
post_form       post.php?action=reply&fid=2&tid=5
post_form       post.php?action=newthread&fid=2
post_form       posting.php?mode=reply&t=5
post_form       posting.php?mode=quote&p=5
post_form       newreply.php?tid=5
post_form       newreply.php?do=newreply&p=5
post_form       newthread.php?fid=2
post_form       index.php?action=post;topic=5.0;last_msg=9
post_form       index.php?action=post;quote=9;topic=5.0
post_form       threads/ubuntu.12/reply
post_form       threads/ubuntu.12/add-reply
post_form       forums/linux.3/post-thread
post_form       index.php?threads/ubuntu.12/reply
post_form       index.php?threads/ubuntu.12/reply&quote=5
post_form       forum/open-2/topic/ubuntu-5/post/create/
post_form       forum/open-2/topic/create/
post_form       forums.php?action=reply&topicid=5
post_form       forums.php?action=quotepost&postid=5
post_form       2024/05/slug/?replytocom=55
post_form       comment.php?action=add&pid=5&type=torrent
post_form       upload.php
post_form       upload
post_form       index.php?m=bbs&c=post&a=doreply&tid=5
post_form       torrents.php?action=reseed&torrentid=5
pay             torrents/5/freeleech_token
edit            index.php?title=Ubuntu&veaction=edit
moderate        threads/ubuntu.12/move
check_in        home.php?mod=task&do=qiandao&id=1
post_form       home.php?mod=task&do=apply&id=1
post_form       private.php?do=newpm&u=5
post_form       newattachment.php?t=5
post_form       forums/linux.3/create-thread
rate            index.php?action=modifykarma;sa=applaud;uid=5
rate            torrents-details.php?id=5&takerating=yes&rating=5
subscribe       members/joe.5/ignore
settings        account/dismiss-notice?notice_id=1
settings        index.php?action=collapse;c=1;sa=collapse
logout          index.php?page=logout
delete          index.php?page=torrent-delete&info_hash=0123
logout          ?q=user/logout
logout          user/logout
logout          members/logout/?t=17,abc
one_time_token  misc.php?do=close&securitytoken=17-abc
thank           viewtopic.php?f=2&p=5&rthanks=5
subscribe       profile.php?do=addlist&userlist=buddy&u=5
mark_read       misc.php?action=markread&fid=2
mark_read       index.php?hash=2b4c&mark=forums&mark_time=170
mark_read       viewforum.php?f=2&mark=topics
mark_read       forumdisplay.php?do=markread
mark_read       forums/-/mark-read
mark_read       index.php?action=markasread;sa=all;f3c2=8a
mark_read       forums.php?catchup=1
mark_read       forums.php?action=catchup&forumid=all&auth=abc
subscribe       usercp.php?action=addsubscription&tid=9
subscribe       usercp2.php?action=removesubscription&tid=9
subscribe       viewtopic.php?f=2&t=5&watch=topic&hash=1b2c
subscribe       viewforum.php?f=2&unwatch=forum&hash=1b2c
subscribe       subscription.php?do=addsubscription&t=5
subscribe       member/topic/5/subscribe/
subscribe       threads/ubuntu.12/watch
subscribe       index.php?action=notifyboard;sa=on;board=2.0
subscribe       users/5/follow
bookmark        viewtopic.php?t=5&bookmark=1&hash=2b4c
bookmark        bookmark.php?torrentid=5
bookmark        bookmarks.php?add_bookmark=1&mediatype=image&identifier=x
bookmark        torrents/5/bookmark
bookmark        usercp2.php?action=addfavorite&tid=9&x=1
messages        home.php?mod=space&do=pm
messages        private.php?action=read&pmid=4
messages        ucp.php?i=pm&folder=inbox
messages        messages.php?action=viewmessage&id=4
messages        sendmessage.php?receiver=4
messages        conversations/add?to=x
messages        direct-messages/
messages        index.php?action=pm
pay             forum.php?mod=misc&action=pay&tid=5&pid=6
pay             forum.php?mod=misc&action=attachpay&aid=5&tid=6
pay             forum.php?mod=misc&action=attachcredit&aid=5&formhash=a1b2c3d4
pay             job.php?action=buytopic&tid=5
pay             torrents.php?action=download&id=5&authkey=a&torrent_pass=b&usetoken=1
pay             shop/?add-to-cart=5
pay             donate.php
pay             donate
pay             mybonus.php?action=exchange
pay             download.php?id=5&letdown=1
check_in        plugin.php?id=dsu_paulsign:sign
check_in        plugin.php?id=k_misign:sign&operation=qiandao
check_in        attendance.php
check_in        checkin
check_in        app.php/dailycheck
check_in        index.php?m=space&c=punch&a=punch
invite          invite.php?id=5
invite          user.php?action=invite
invite          invite
moderate        mcp.php?i=main&mode=front
moderate        moderation.php?action=getip&pid=4
moderate        forum.php?mod=topicadmin&action=moderate
moderate        threads/ubuntu.12/lock
one_time_token  ratings.php?tid=5&my_post_key=0123
one_time_token  x.php?id=5&_wpnonce=abc
settings        misc.php?do=dismiss&securitytoken=17-abc
one_time_token  task.php?do=claim&hash=0a1b2c3d
one_time_token  search.php?mod=forum&srchtxt=bt&formhash=a1b2c3d4&searchsubmit=true
settings        home.php?mod=spacecp&ac=profile
thank           x/4qjvy75/like
report          x/niu9e12/flag
post_form       p/aB3xY9/reply
thank           torrent/7f3e9a/unlike
subscribe       u/k3v1n/follow
bookmark        item/abc-123x/star
"""

FETCHED = """
thread-delete-your-account-12.html
thread-12-1-1.html
topic/how-to-vote-5
topic/logout
topic/how-to-delete-55/
threads/how-to-report-a-bug.12/
threads/delete.12/page-2
forum/edit-and-report-3/
tag/delete
tags/vote/
wiki/Vote
wiki/Delete
category/donate/page/2/
search/logout
search.php?q=delete+logout
search.php?keywords=edit&action=search
torrents.php?searchstr=pay&action=advanced
?title=Delete
index.php?title=Vote
index.php?title=Category:Reports
?hash=0123456789abcdef0123456789abcdef01234567
torrent.php?hash=0123456789abcdef0123456789abcdef01234567
details.php?id=5&hash=0123456789abcdef0123456789abcdef01234567
download/5?token=abcdef
torrents.php?action=download&id=5&authkey=abc&torrent_pass=def
torrents.php?action=download&id=5&usetoken=0
torrents.php?inclbookmarked=1&incldead=0
torrents.php?bookmark=0
download.php?id=5&passkey=abc
download.php?downhash=5%7Cabc
torrents/download/5
torrents/5
view/123
download/123.torrent
dl/Delete.Me.2020.torrent
files/edit.torrent
files/logout.zip
reports/2024/annual
post/123
posts/12
p/12/quote-of-the-day
video/watch/55
watch?v=abc
new/
t/like-stars-on-earth-2007
movie/Pay-It-Forward-2000
title/Rate-Your-Date
2024/05/subscribe-to-our-feed/
2024/05/report/
software/ubuntu-22/update
software/debian-12/new/
2024/05/17/edit/
forum.php?mod=forumdisplay&fid=2&filter=reply&orderby=replies
forum.php?mod=forumdisplay&fid=2&filter=specialtype&specialtype=poll
forum.php?mod=viewthread&tid=5&extra=page%3D1
forum.php?mod=viewthread&action=printable&tid=5
forum.php?mod=redirect&goto=lastpost&tid=5
forum.php?mod=attachment&aid=MXxmZGU4MmYxMHwxNzk2MDYzNTk1fDB8MQ%3D%3D
home.php?mod=space&uid=2&do=thread&type=reply&view=me
member.php?mod=logging&action=login
misc.php?mod=seccode&action=update&idhash=cS1
viewtopic.php?t=5&view=print
viewtopic.php?p=9&hilit=edit
showthread.php?tid=9&action=lastpost
showthread.php?tid=9&action=newpost
showthread.php?t=9&mode=threaded
index.php?action=dlattach;topic=5.0;attach=9
index.php?topic=5.msg9;boardseen
index.php?board=18.20
index.php?action=recent
index.php?m=bbs&c=attach&a=download&aid=5
job.php?action=download&aid=5
index.php?m=bbs&c=read&tid=5
getattachment.php?id=5&dlkey=abc
reputation.php?uid=5
misc.php?action=syndication
misc.php?action=whoposted&tid=5
memberlist.php?mode=viewprofile&u=5
ucp.php?mode=login&redirect=index.php
login.php?returnto=%2Flogout.php
login?next=/posts/5/delete
rss.php?passkey=abc
feed/?token=abc
browse.php?cat=5&do=list
f/5/sort-by-rating
?rating=5
?sort=votes&order=desc
?c=1_2&p=3
?edit
index.php?page=torrents&active=1
index.php?page=torrent-details&id=0123456789abcdef0123456789abcdef01234567
search?q=AC/DC
?page=edit
watch/the-report-2019
attachment/44/
feeds/forum/open-torrents-2/topics/all/
archive/index.php?thread-5.html
details/thankyou_collection
torrent/5/Report.S01E01
user/delete/torrents
users/invite/
docs/python3/new
games/doom2/update
mp3/2024/like-a-rolling-stone
tag/mp3/like
2024/05/like/
software/gimp2/create
"""


def rows(table: str) -> list[tuple[str, str]]:
    return [tuple(line.split(maxsplit=1)) for line in table.strip().splitlines()]  # type: ignore[misc]


@pytest.mark.parametrize(("reason", "path"), rows(REFUSED))
def test_a_state_changing_url_is_refused_for_its_reason(reason: str, path: str) -> None:
    assert refusal(f"https://forum.example.org/{path}") == reason


@pytest.mark.parametrize("path", FETCHED.strip().splitlines())
def test_a_reading_url_is_not_refused(path: str) -> None:
    assert refusal(f"https://forum.example.org/{path}") is None


@pytest.mark.parametrize(("reason", "path"), rows(REFUSED))
def test_a_board_in_a_folder_is_no_hiding_place(reason: str, path: str) -> None:
    if not path.endswith(("invite", "donate", "upload", "vote/5", "conversations/add?to=x")):
        assert refusal(f"https://example.org:8080/bbs/{path}") == reason


@pytest.mark.parametrize("path", FETCHED.strip().splitlines())
def test_a_host_named_like_an_action_changes_nothing(path: str) -> None:
    assert refusal(f"https://delete.logout.example/{path}#logout") is None


def test_upper_case_and_html_escapes_do_not_hide_an_action() -> None:
    assert refusal("HTTP://X.example/MEMBER.PHP?MOD=logging&amp;ACTION=LogOut") == "logout"


def test_other_methods_than_get_and_head_are_refused() -> None:
    assert refusal("https://x.example/posts/5", method="DELETE") == "method"
    assert refusal("https://x.example/posts/5", method="post") == "method"
    assert refusal("https://x.example/posts/5", method="head") is None


def test_a_payment_link_is_refused() -> None:
    assert refusal("https://x.example/go/5", rel={"nofollow", "payment"}) == "pay"


def test_the_link_text_decides_only_beside_an_action_or_a_token() -> None:
    assert refusal("https://x.example/plugin.php?id=abc&op=go&token=1", anchor="退出") == "one_time_token"
    assert refusal("https://x.example/plugin.php?do=bye", anchor="退出登录") == "logout"
    assert refusal("https://x.example/viewthread.php?tid=5", anchor="签到") is None
    assert refusal("https://x.example/thread-5-1-1.html", anchor="删除") is None


@pytest.mark.parametrize(
    ("url", "anchor", "reason"),
    [
        ("posts/abcdef/like", "Like (5)", "thank"),
        ("posts/abcdef/like", "いいね", "thank"),
        ("t/some-title/report/", "Beitrag melden", "report"),
        ("plugin.php?do=zan&tid=5", "赞 12", "thank"),
        ("go.php?op=drop&id=5", "Удалить", "delete"),
        ("ajax.php?cmd=x5&hash=ab12", "Gefällt mir", "one_time_token"),
        ("post.php?act=rem&sign=1", "Supprimer", "one_time_token"),
        ("forum/mark?auth=abc", "Отметить как прочитанное", "mark_read"),
        ("thread-5-1-1.html", "Удалить", None),
        ("view/123", "Like", None),
        ("forum/report", "Report", None),
        ("category/linux/report", "Report", None),
        ("tag/linux/like", "Like", None),
        ("torrents.php?action=download&id=5&authkey=ab", "Download", None),
        ("viewforum.php?f=5", "Votar", None),
    ],
)
def test_a_word_that_acts_counts_where_the_address_says_so_too(
    url: str, anchor: str, reason: str | None
) -> None:
    assert refusal(f"https://forum.example.org/{url}", anchor=anchor) == reason


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("go.php?id=5&hash=ab12cd34", "one_time_token"),
        ("item/5/x?token=ab12", "one_time_token"),
        ("download.php?id=5&hash=ab12cd34", None),
        ("get/5?token=ab12", None),
        ("view.php?id=5&passkey=ab12", None),
        ("details.php?id=5&hash=0123456789abcdef0123456789abcdef01234567", None),
        ("thread.php?id=5", None),
    ],
)
def test_a_token_in_a_link_that_nobody_shall_follow_refuses_it_unless_it_gives_a_file(
    url: str, reason: str | None
) -> None:
    assert refusal(f"https://x.example/{url}", rel=frozenset({"nofollow"})) == reason
    assert refusal(f"https://x.example/{url}") is None


def recorded_urls(site: str) -> set[str]:
    with (SITES / site / "truth.tsv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    return {
        line[column] for line in lines for column in ("url", "page_url") if line[column].startswith("http")
    }


SITE_NAMES = ("discuz35", "phpbb", "mybb", "machina")


@pytest.mark.parametrize("site", SITE_NAMES)
def test_no_page_or_attachment_of_a_recorded_forum_is_refused(site: str) -> None:
    refused = {url: refusal(url) for url in recorded_urls(site)}
    expected_pay = {url for url in refused if "action=attachpay" in url}
    assert {url for url, reason in refused.items() if reason} == expected_pay


HREF = re.compile(rb'<a\b[^>]{0,500}?\bhref="([^"]{1,2000})"')
CHANGES = re.compile(
    r"action=logout|mode=logout|my_post_key=|mark=(?:forums|topics)|(?:un)?watch=|bookmark=1|mode=(?:quote|reply|post\b)|"
    r"mod=post&|action=(?:pay|attachpay)\b|/report$|/post/(?:create|update)/|/subscribe/$|newreply\.php|newthread\.php"
)


@pytest.mark.parametrize("site", SITE_NAMES)
def test_every_state_changing_link_of_a_recorded_forum_is_refused(site: str) -> None:
    links = set()
    with (SITES / site / "focus_login.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response":
                links.update(HREF.findall(record.content_stream().read()))
    urls = {"http://127.0.0.1/" + unescape(link.decode("utf-8", "replace")).lstrip("./") for link in links}
    changing = {url for url in urls if CHANGES.search(url)}
    assert len(changing) > 50
    assert {url for url in changing if refusal(url) is None} == set()


@pytest.mark.parametrize("site", SITE_NAMES)
def test_no_link_to_a_list_a_page_or_a_file_of_a_recorded_forum_is_refused(site: str) -> None:
    """With their texts and attributes, as a crawl judges them; what each is, its engine's rules say."""
    (name,) = {"discuz35": ["discuz"]}.get(site, [site])
    rules = RuleSet(shipped_engines()[name].rules)
    never = never_fetched_by(shipped_engines()[name])
    refused, judged = {}, set()
    with (SITES / site / "focus_login.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file):
            kind = record.http_headers.get_header("content-type") or "" if record.http_headers else ""
            if record.rec_type != "response" or "html" not in kind:
                continue
            url = record.rec_headers.get_header("WARC-Target-URI")
            html = record.content_stream().read().decode("utf-8", "replace")
            for link in extract_links(html, url).links:
                found = rules.match(link.url)
                content = found is not None and found.role in CONTENT
                if not content or never(link.url) or CHANGES.search(link.url) or SPENDS.search(link.url):
                    continue
                judged.add(link.url)
                reason = refusal(link.url, anchor=link.anchor, rel=link.rel, method=link.method)
                if reason:
                    refused[link.url] = (reason, link.anchor)
    assert len(judged) > 50
    assert refused == {}


@given(st.text(max_size=300), st.text(max_size=30))
def test_any_url_is_judged_by_a_word_and_the_same_each_time(url: str, anchor: str) -> None:
    for address in ("http://h/" + url, url):
        reason = refusal(address, anchor=anchor)
        assert reason is None or re.fullmatch(r"[a-z_]*", reason)
        assert refusal(address, anchor=anchor) == reason


@pytest.mark.parametrize("anchor", ["Sign out", " [退出] ", "Выход", "Se déconnecter", "LOG OUT"])
def test_a_link_that_says_it_logs_out_is_left_however_its_address_looks(anchor: str) -> None:
    assert refusal("https://forum.example.org/leave", anchor=anchor) == "logout"


@pytest.mark.parametrize("anchor", ["How to log out", "Logout problems", "Exit", "退出机制讨论"])
def test_a_title_about_logging_out_is_a_page(anchor: str) -> None:
    assert refusal("https://forum.example.org/thread-1.html", anchor=anchor) is None


@pytest.mark.parametrize("word", ["like", "Like", "flag", "reply"])
def test_a_verb_after_an_opaque_identifier_that_is_also_the_anchor_is_an_action(word: str) -> None:
    assert refusal(f"https://a.example/x/d4cs82p91/{word.lower()}", anchor=word)


@pytest.mark.parametrize(
    ("path", "anchor"),
    [("tag/like", "like"), ("x/d4cs82p91/files", "files")],
)
def test_a_word_of_a_name_is_none(path: str, anchor: str) -> None:
    assert refusal(f"https://a.example/{path}", anchor=anchor) is None


@pytest.mark.parametrize("path", ["/like/7", "/unlike/7", "/follow/12", "/rate/3", "/react/99", "/star/5"])
def test_a_click_on_one_thing_is_known_by_its_number(path: str) -> None:
    assert refusal(f"https://forum.example.org{path}")


@pytest.mark.parametrize(
    "path", ["/watch/7", "/rating/5", "/like/2024", "/like/new-order", "/topics/7", "/likes/7"]
)
def test_pages_with_a_number_are_no_clicks(path: str) -> None:
    assert refusal(f"https://forum.example.org{path}") is None
