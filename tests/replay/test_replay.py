"""The recorded sites: served with our origin, and truth counted right."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
import subprocess
import sys

import bencodepy
import httpx
import pytest

from tests.replay.recording import NoRecording, Record, Recording, Rewriter, loose_key, site_names
from tests.replay.server import Replay
from tests.replay.truth import Harvested, check, guest_walls, load

FOCUS = {
    # site: {(form, wall): (asked for, unseen)} of a guest's recording
    "discuz35": {
        ("attachment", "none"): (13, 0),
        ("magnet", "none"): (4, 0),
        ("thunder", "none"): (4, 0),
        ("attachment", "login"): (12, 7),
        ("attachment", "pay"): (7, 1),
        ("attachment", "readperm"): (4, 1),
        ("attachment", "reply"): (4, 1),
        ("magnet", "reply"): (4, 0),
        ("magnet", "login"): (0, 1),
        ("magnet", "login+reply"): (0, 1),
        ("thunder", "login"): (0, 1),
    },
    "phpbb": {("attachment", "none"): (19, 0), ("attachment", "login"): (16, 9)},
    "mybb": {("attachment", "none"): (19, 0), ("attachment", "login"): (16, 9)},
    "machina": {("attachment", "none"): (19, 0), ("attachment", "login"): (0, 25)},
}
SHARED = {
    ("magnet", "none"): (5, 0),
    ("plainhash", "none"): (4, 0),
    ("thunder", "none"): (5, 0),
    ("magnet", "login"): (0, 1),
    ("plainhash", "login"): (0, 1),
    ("thunder", "login"): (0, 1),
}


def everything(site: Replay) -> Harvested:
    """A harvest that asks for each recorded URL: what a perfect crawl would have."""
    files: set[str] = set()
    hashes: set[str] = set()
    links: set[str] = set()
    walls: set[tuple[str, str]] = set()
    with httpx.Client(base_url=site.origin, headers={"Accept-Encoding": "identity"}) as client:
        for record in site.recording.records():
            body = client.get(record.target).content
            if body.startswith(b"d"):
                info = bencodepy.encode(bencodepy.decode(body)[b"info"])
                files.add(hashlib.sha1(info).hexdigest())
                continue
            hashes.update(found.decode().lower() for found in re.findall(rb"\b[0-9A-Fa-f]{40}\b", body))
            for link in re.findall(rb"thunder://([A-Za-z0-9+/=]{20,})", body):
                if len(link) % 4 == 0 and (plain := base64.b64decode(link)).endswith(b"ZZ"):
                    links.add(plain[2:-2].decode())
            for wall in ("login", "reply", "pay", "readperm"):
                walls.add((wall, site.origin + record.target))
    return Harvested(frozenset(files), frozenset(hashes | files), frozenset(links), frozenset(walls))


@pytest.mark.parametrize("name", sorted(FOCUS))
def test_a_perfect_crawl_of_a_recording_misses_nothing_of_its_truth(name: str) -> None:
    with Replay(name) as site:
        report = check(load(name), everything(site), site)
    assert report.missing == []
    assert report.surplus == frozenset()
    expected = FOCUS[name] if name == "discuz35" else FOCUS[name] | SHARED
    assert {(form, wall): (wanted, unseen) for form, wall, _, wanted, unseen in report.table()} == expected


@pytest.mark.parametrize("name", sorted(FOCUS))
def test_an_empty_harvest_misses_everything(name: str) -> None:
    with Replay(name) as site:
        report = check(load(name), Harvested(), site)
    assert len(report.missing) == sum(report.wanted.values())
    assert sum(report.had.values()) == 0


def test_what_a_member_recorded_is_asked_for() -> None:
    with Replay("phpbb", "focus_login") as site:
        report = check(load("phpbb"), everything(site), site)
    assert report.had["attachment", "login"] == report.wanted["attachment", "login"] == 25
    assert report.unseen.total() == 0


def test_a_board_that_shows_guests_only_a_login_box_hides_the_price() -> None:
    recording = Recording("discuz35")
    rows = {row.infohash: row for row in load("discuz35")}
    paid = rows["cc49941b95a80c400fa2a9dec6c61b7f63e6d97c"]
    assert guest_walls(recording, paid) == {"login"}
    assert guest_walls(recording, rows["8366e7a86ca30e63eb7f6a55bb63dae1de73a149"]) == {"pay"}


@pytest.mark.parametrize("name", sorted(FOCUS))
def test_no_page_names_the_recorded_address(name: str) -> None:
    with Replay(name) as site, httpx.Client() as client:
        recorded = site.recording.origin.removeprefix("http://").encode()
        for record in site.recording.records():
            answer = client.get(site.origin + record.target)
            if record.is_text:
                assert recorded not in answer.content
                assert recorded.replace(b":", b"%3A") not in answer.content


def test_torrents_come_byte_for_byte() -> None:
    with Replay("discuz35") as site, httpx.Client() as client:
        for record in site.recording.records():
            if record.body.startswith(b"d"):
                assert client.get(site.origin + record.target).content == record.body


def test_unrecorded_urls_answer_504_and_are_counted_apart() -> None:
    with Replay("mybb") as site, httpx.Client(base_url=site.origin) as client:
        assert client.get("/nowhere.php?x=1").status_code == 504
        assert client.post("/member.php", data={"a": "b"}).status_code == 504
        assert client.get("/index.php").status_code == 200
        assert dict(site.state.unrecorded) == {"/nowhere.php?x=1": 1, "/member.php": 1}
        assert site.state.requests == 3


def test_the_root_leads_to_the_recorded_start() -> None:
    with Replay("discuz35") as site, httpx.Client() as client:
        answer = client.get(site.origin + "/")
        assert (answer.status_code, answer.headers["location"]) == (302, "/forum.php")
        assert not site.state.unrecorded


def test_robots_is_absent_unless_one_is_given() -> None:
    with Replay("phpbb") as site:
        assert httpx.get(site.origin + "/robots.txt").status_code == 404
        assert not site.state.unrecorded
    with Replay("phpbb", robots=b"User-agent: *\nDisallow: /\n") as site:
        assert httpx.get(site.origin + "/robots.txt").text.endswith("Disallow: /\n")


def test_state_changing_links_that_are_followed_are_named() -> None:
    with Replay("mybb") as site:
        httpx.get(site.origin + "/misc.php?action=markread")
        assert site.state.violations == ["/misc.php?action=markread"]


def test_session_ids_and_fresh_attachment_tokens_find_the_recorded_answer() -> None:
    with Replay("phpbb") as site:
        other = httpx.get(site.origin + "/viewforum.php?sid=00000000000000000000000000000000&f=2")
        assert other.status_code == 200
    with Replay("discuz35") as site:
        aid = base64.b64encode(b"22|ffffffff|1|0|28").decode()
        assert httpx.get(f"{site.origin}/forum.php?mod=attachment&aid={aid}").content.startswith(b"d")


def test_loose_keys_keep_what_chooses_the_page() -> None:
    assert loose_key("/a.php?b=2&a=1&sid=x") == loose_key("/a.php?a=1&b=2")
    assert loose_key("/a.php?page=2") != loose_key("/a.php?page=3")
    assert loose_key("/a.php?page=1") == loose_key("/a.php")
    assert loose_key("/a.php?aid=12") != loose_key("/a.php?aid=13")


def test_rewriting_finds_every_spelling_and_leaves_other_bytes_alone() -> None:
    rewriter = Rewriter("https://forum.example:8443", "http://127.0.0.1:5")
    encoded = base64.b64encode(b"https://forum.example:8443/x")
    text = (
        "电影 ".encode("gbk")
        + b"https://forum.example:8443/a forum.example%3A8443 https:\\/\\/forum.example:8443\\/ "
        + encoded
    )
    assert rewriter.text(text) == (
        "电影 ".encode("gbk")
        + b"http://127.0.0.1:5/a 127.0.0.1%3A5 http:\\/\\/127.0.0.1:5\\/ "
        + base64.b64encode(b"http://127.0.0.1:5/x")
    )
    other = b"http://127.0.0.1:8199/t/a.torrent"
    assert rewriter.text(other) == other


def test_a_gzip_body_is_rewritten_and_compressed_again() -> None:
    headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"))
    record = Record("/", 200, headers, b"see http://a.example/", "gzip")
    body, sent = Rewriter("http://a.example", "http://127.0.0.1:5").response(record)
    assert gzip.decompress(body) == b"see http://127.0.0.1:5/"
    assert [name for name, _ in sent] == ["Content-Type", "Content-Encoding"]


def test_missing_recordings_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoRecording, match="focus_anon"):
        Recording("discuz35", "nothing")
    monkeypatch.setenv("HARVEST_SHARED", "/nonexistent")
    with pytest.raises(NoRecording, match="HARVEST_SHARED"):
        site_names()


def test_the_command_lists_the_recordings() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.replay"], capture_output=True, text=True, check=True)
    assert "discuz35: anon, focus_anon, focus_login, reply (65 torrents in truth.tsv)" in done.stdout
