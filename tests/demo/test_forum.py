"""The demo forum behaves as the forum software does that it stands for."""

from __future__ import annotations

import base64
import re
from urllib.parse import unquote_to_bytes, urlsplit

import httpx
import pytest

from harvester.demo import DemoSites, start_demo
from harvester.demo.sites import ACCOUNT, DemoOptions
from tests.walker import infohash, walk

_NOISE = re.compile(
    r"member\.php|misc\.php|spacecp|mod=(post|misc|redirect)|orderby|authorid|mobile|archiver|sid="
)
_AID = re.compile(r"mod=attachment&amp;aid=([^\"]+)\"")


def _origin(sites: DemoSites) -> str:
    return sites.forum_url.removesuffix("/forum.php")


def _log_in(client: httpx.Client, password: str = ACCOUNT[1]) -> str:
    page = client.get("/member.php?mod=logging&action=login").content.decode("gbk")
    action = re.search(r'id="loginform_(L\w{4})"[^>]*?action="([^"]+)"', page, re.DOTALL)
    formhash = re.search(r'name="formhash" value="(\w{8})"', page)
    assert action
    assert formhash
    fields = {"formhash": formhash[1], "username": ACCOUNT[0], "password": password, "loginsubmit": "true"}
    answer = client.post("/" + action[2].replace("&amp;", "&"), data=fields)
    assert answer.status_code == 200
    return answer.content.decode("gbk")


def _page(client: httpx.Client, target: str) -> str:
    return client.get(target).content.decode("gbk")


def _reply(client: httpx.Client, tid: int, message: str = "谢谢分享，正在下载") -> str:
    page = _page(client, f"/thread-{tid}-1-1.html")
    formhash = re.search(r'id="fastpostform".*?name="formhash" value="(\w{8})"', page, re.DOTALL)
    assert formhash
    body = b"message=" + b"".join(b"%%%02X" % byte for byte in message.encode("gbk"))
    body += f"&formhash={formhash[1]}&usesig=&subject=++&replysubmit=replysubmit".encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    target = f"/forum.php?mod=post&action=reply&fid=2&tid={tid}&extra=&replysubmit=yes"
    return client.post(target, content=body, headers=headers).content.decode("gbk")


def test_a_guest_gets_every_open_attachment(sites: DemoSites) -> None:
    origin = _origin(sites)
    with httpx.Client() as client:
        met = walk(
            client,
            sites.forum_url,
            charset="gbk",
            follow=lambda url: url.startswith(origin) and not _NOISE.search(url),
        )
    wanted = {row.infohash for row in sites.forum.truth() if row.wall == "none" and row.form == "attachment"}
    assert wanted <= met.files
    assert met.files <= {row.infohash for row in sites.forum.truth() if row.wall == "none"}
    assert sites.forum.state.violations == []
    assert sites.forum.state.robots_violations == []


def test_pages_are_gbk_in_header_meta_and_bytes(sites: DemoSites) -> None:
    answer = httpx.get(sites.forum_url)
    assert answer.headers["content-type"] == "text/html; charset=gbk"
    assert b"charset=gbk" in answer.content
    assert "公有领域影音" in answer.content.decode("gbk")
    with pytest.raises(UnicodeDecodeError):
        answer.content.decode("utf-8")


def test_file_names_are_raw_gbk_bytes(sites: DemoSites) -> None:
    row = next(row for row in sites.forum.truth() if row.form == "attachment" and row.fetched_in == "anon")
    name = next(value for key, value in httpx.get(row.url).headers.raw if key == b"Content-Disposition")
    assert re.fullmatch(rb'attachment; filename="[^"]+\.torrent"(; filename\*=utf-8\'\'\S+)?', name)
    chinese = [
        dict(httpx.get(row.url).headers.raw)[b"Content-Disposition"]
        for row in sites.forum.truth()
        if row.fetched_in == "anon"
    ]
    assert any("公有领域".encode("gbk") in name for name in chinese)
    assert any(b"filename*=utf-8''" in name for name in chinese)


def test_attachment_tokens_change_with_each_view_and_old_ones_still_work(sites: DemoSites) -> None:
    with httpx.Client(base_url=_origin(sites)) as client:
        row = next(row for row in sites.forum.truth() if row.form == "attachment" and row.wall == "none")
        tokens = [_AID.findall(_page(client, row.page_url))[0] for _ in range(2)]
        files = [client.get(f"/forum.php?mod=attachment&aid={token}").content for token in tokens]
    assert tokens[0] != tokens[1]
    assert [infohash(file) for file in files] == [row.infohash] * 2


def test_a_forged_token_is_refused_with_a_page(sites: DemoSites) -> None:
    forged = base64.b64encode(b"1|00000000|1796063592|0|1").decode()
    for token in (forged, "x", "%FF", base64.b64encode(b"a|b|c|d|e").decode()):
        answer = httpx.get(f"{_origin(sites)}/forum.php", params={"mod": "attachment", "aid": token})
        assert answer.status_code == 200
        assert "该附件无法读取" in answer.content.decode("gbk")


def test_thunder_links_hold_gbk_paths_that_lead_to_the_torrents(sites: DemoSites) -> None:
    rows = [row for row in sites.forum.truth() if row.form == "thunder" and row.wall == "none"]
    chinese = 0
    for row in rows:
        page = httpx.get(row.page_url).content.decode("gbk")
        link = re.search(r'href="thunder://([^"]+)"', page)
        assert link
        plain = base64.b64decode(link[1])
        assert plain.startswith(b"AAhttp://")
        assert plain.endswith(b"ZZ")
        assert (
            plain[2:-2].partition(b"/down/")[2]
            == unquote_to_bytes(urlsplit(row.url).path).partition(b"/down/")[2]
        )
        assert infohash(httpx.get(row.url).content) == row.infohash
        chinese += not plain.isascii()
    assert chinese


def test_magnets_and_labelled_hashes_stand_in_their_pages(sites: DemoSites) -> None:
    for row in sites.forum.truth():
        if row.wall == "none" and row.form in ("magnet", "plainhash"):
            text = httpx.get(row.page_url).content.decode("gbk")
            mark = f"urn:btih:{row.infohash}" if row.form == "magnet" else f"特征码：{row.infohash.upper()}"
            assert mark in text


def test_walls_answer_200_with_what_discuz_says(sites: DemoSites) -> None:
    with httpx.Client(base_url=_origin(sites)) as client:
        board = client.get("/forum-50-1.html")
        assert board.status_code == 200
        assert "您尚未登录，没有权限访问该版块" in board.content.decode("gbk")
        rows = sites.forum.truth()
        locked = next(row for row in rows if row.wall == "reply")
        assert '<div class="locked">游客，如果您要查看本帖隐藏内容请<a' in _page(client, locked.page_url)
        public = [
            row for row in rows if row.wall == "login" and "您尚未登录" not in _page(client, row.page_url)
        ]
        boxes = [row for row in public if 'class="attach_nopermission' in _page(client, row.page_url)]
        links = [row for row in public if _AID.search(_page(client, row.page_url))]
        assert len(boxes) + len(links) == len(public)
        assert boxes
        assert links
        assert "您尚未登录，没有权限下载本附件" in _page(client, links[0].url)


def test_a_member_sees_the_members_board_and_their_files(sites: DemoSites) -> None:
    with httpx.Client(base_url=_origin(sites)) as client:
        assert "欢迎您回来" in _log_in(client)
        assert "discuz_uid = '7'" in _page(client, "/forum.php")
        assert "normalthread_" in _page(client, "/forum-50-1.html")
        for row in sites.forum.truth():
            if row.fetched_in == "login":
                token = _AID.findall(_page(client, row.page_url))[0]
                assert client.get(f"/forum.php?mod=attachment&aid={token}").content.startswith(b"d")
    assert sites.forum.state.logins == 1


def test_a_member_may_log_out_and_that_is_counted(sites: DemoSites) -> None:
    with httpx.Client(base_url=_origin(sites)) as client:
        _log_in(client)
        link = re.search(r'href="([^"]+action=logout[^"]+)"', _page(client, "/forum.php"))
        assert link
        client.get("/" + link[1].replace("&amp;", "&"))
        assert "discuz_uid = '0'" in _page(client, "/forum.php")
    assert len(sites.forum.state.violations) == 1


def test_wrong_passwords_lock_after_five_tries(sites: DemoSites) -> None:
    with httpx.Client(base_url=_origin(sites)) as client:
        assert "您还可以尝试 4 次" in _log_in(client, "wrong")
        for _ in range(4):
            _log_in(client, "wrong")
        assert "密码错误次数过多" in _log_in(client)


def test_a_login_without_the_formhash_is_refused(sites: DemoSites) -> None:
    fields = {"formhash": "00000000", "username": ACCOUNT[0], "password": ACCOUNT[1]}
    answer = httpx.post(f"{_origin(sites)}/member.php?mod=logging&action=login&loginsubmit=yes", data=fields)
    assert "表单验证串不符" in answer.content.decode("gbk")
    assert sites.forum.state.logins == 0


def test_one_reply_opens_the_hidden_part_of_its_thread(sites: DemoSites) -> None:
    rows = [row for row in sites.forum.truth() if row.wall == "reply"]
    tid = int(rows[0].page_url.split("thread-")[1].split("-")[0])
    with httpx.Client(base_url=_origin(sites)) as client:
        _log_in(client)
        assert "回复发布成功" in _reply(client, tid)
        page = _page(client, rows[0].page_url)
        assert "本帖隐藏的内容</h4>" in page
        assert "谢谢分享，正在下载" in page
        token = _AID.findall(page)[0]
        assert infohash(client.get(f"/forum.php?mod=attachment&aid={token}").content) == rows[0].infohash
        assert 'class="locked"' in _page(client, rows[1].page_url)


def test_replies_are_checked_for_length_and_for_haste() -> None:
    with (
        start_demo(["demo-forum"], DemoOptions(flood_seconds=3600.0)) as sites,
        httpx.Client(base_url=_origin(sites)) as client,
    ):
        _log_in(client)
        assert "小于 10 个字符" in _reply(client, 1, "顶")
        assert "回复发布成功" in _reply(client, 1)
        assert "两次发表间隔少于 3600 秒" in _reply(client, 2)
        assert sites.forum.state.replies == 1


def test_guests_get_session_ids_in_links_until_they_keep_a_cookie(sites: DemoSites) -> None:
    with httpx.Client(base_url=_origin(sites)) as client:
        first = _page(client, "/forum-2-1.html")
        assert re.search(r"extra=page%3D1&amp;sid=\w{6}\"", first)
        assert "sid=" not in _page(client, "/forum-2-1.html")


def test_boards_have_pages_and_the_last_flip_ends(sites: DemoSites) -> None:
    with httpx.Client(base_url=_origin(sites)) as client:
        pages = [_page(client, f"/forum-2-{number}.html") for number in (1, 2, 3)]
        tids = [re.findall(r'id="normalthread_(\d+)"', page) for page in pages]
        assert [len(found) for found in tids] == [10, 10, 3]
        assert len({tid for found in tids for tid in found}) == 23
        assert "下一页" in pages[1]
        assert "下一页" not in pages[2]
        long = _page(client, "/forum.php?mod=viewthread&tid=1&page=3")
        assert "postlist" in long
