from __future__ import annotations

import pytest

from harvester.links.hints import looks_like_asset, looks_like_download

SITE = "https://bbs.example.com/"


@pytest.mark.parametrize(
    "path",
    [
        "a.torrent",
        "a.torrent?x=1",
        "forum.php?mod=attachment&aid=MTIz",
        "attachment.php?aid=5",
        "download/file.php?id=7",
        "index.php?action=dlattach;topic=1.0;attach=5",
        "dl.php?id=1",
        "download.php?id=1&passkey=x",
        "view/download/1.torrent",
        "torrents/download/123",
        "download/123.torrent",
        "attachment/12/",
        "job.php?action=download&aid=3",
        "attachments/x.123/",
        "torrents.php?action=download&id=1&torrent_pass=x",
        "dl/123",
        "download/ID/ID_2_archive.torrent",
    ],
)
def test_shapes_of_downloads_are_seen(path: str) -> None:
    assert looks_like_download(SITE + path)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "thread-1-1-1.html",
        "viewtopic.php?t=5",
        "forum.php?mod=viewthread&tid=1",
        "torrents.php?page=2",
        "details.php?id=1",
        "a.torrents/x",
        "attachments/logo.png",
        "?q=torrent",
        "download/",
        "member.php?mod=logging&action=login",
    ],
)
def test_shapes_of_pages_are_not(path: str) -> None:
    assert not looks_like_download(SITE + path)


@pytest.mark.parametrize(
    "anchor", ["demo.torrent", "下载种子", "种子文件下载", "Download torrent", "BT下载", "Torrent file"]
)
def test_an_anchor_may_tell(anchor: str) -> None:
    assert looks_like_download(SITE + "x?id=1", anchor)
    assert not looks_like_download(SITE + "x.jpg", anchor)


@pytest.mark.parametrize("anchor", ["", "下载", "torrents", "About BitTorrent", "Home"])
def test_an_ordinary_anchor_tells_nothing(anchor: str) -> None:
    assert not looks_like_download(SITE + "x?id=1", anchor)


def test_assets_are_told_by_their_ending() -> None:
    assert looks_like_asset(SITE + "a/b.JPG?x=1")
    assert not looks_like_asset(SITE + "a.php?img=b.jpg")
