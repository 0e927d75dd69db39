"""WARC files hold what went over the wire, without credentials, and survive a kill."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from warcio.archiveiterator import ArchiveIterator

from harvester.errors import StoreUnreachable
from harvester.fetch.exchange import Exchange
from harvester.fetch.warc import WarcFolder, mend
from harvester.model.http import JarKey, Request
from tests.fetch.support import fetching, in_loop
from tests.servers.raw import replies, routes

PAGE = b"<html>" + "标题".encode("gbk") + b"</html>"


def exchange(number: int = 1, wire: bytes = b"body") -> Exchange:
    target = f"/{number}"
    return Exchange(
        url=f"http://a.example{target}",
        target=target,
        method="GET",
        request_headers=[(b"Host", b"a.example"), (b"Cookie", b"sid=secret")],
        request_body=b"",
        status=200,
        headers=[(b"Content-Type", b"text/html"), (b"Transfer-Encoding", b"chunked")],
        wire=wire,
        peer="192.0.2.1",
        at=1_800_000_000.25,
    )


Record = tuple[str, str, list[tuple[str, str]], bytes, dict[str, str]]


def records(folder: Path) -> Iterator[Record]:
    """(type, URL, HTTP header, raw payload, WARC header) of every record in the folder."""
    for path in sorted(folder.glob("*.warc.gz*")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, no_record_parse=False, check_digests="raise"):
                head = record.http_headers.headers if record.http_headers else []
                yield (
                    record.rec_type,
                    record.rec_headers.get_header("WARC-Target-URI") or "",
                    head,
                    record.raw_stream.read(),
                    dict(record.rec_headers.headers),
                )


@in_loop
async def test_every_hop_is_kept_as_it_came_and_credentials_are_not(tmp_path: Path) -> None:
    packed = gzip.compress(PAGE)
    handler = routes(
        {
            "/old": replies(302, b"moved", "Location: /new?token=visible", "Set-Cookie: sid=topsecret"),
            "/new": replies(200, packed, "Content-Encoding: gzip", b"X-Name: \xb1\xea"),
            "/robots.txt": replies(200, b"User-agent: *\n"),
        }
    )
    archive = WarcFolder(tmp_path, "harvest/test")
    async with fetching(handler, archive=archive) as (fetcher, server):
        response = await fetcher.fetch(Request(server.url("/old")), jar=JarKey("site"))
        await fetcher.robots(server.url("").rstrip("/"))
        archive.close()
        assert response.body == PAGE
        kept = list(records(tmp_path))
        assert [(kind, url) for kind, url, *_ in kept] == [
            ("warcinfo", ""),
            ("response", server.url("/old")),
            ("request", server.url("/old")),
            ("response", server.url("/new?token=visible")),
            ("request", server.url("/new?token=visible")),
            ("response", server.url("/robots.txt")),
            ("request", server.url("/robots.txt")),
        ]
    moved, redirected, page, asked = kept[1], kept[2], kept[3], kept[4]
    assert moved[3] == b"moved"
    assert ("Set-Cookie", "***") in moved[2]
    assert page[3] == packed
    assert ("Content-Encoding", "gzip") in page[2]
    assert ("Content-Length", str(len(packed))) in page[2]
    assert ("Cookie", "***") in asked[2]
    assert any(name == "User-Agent" for name, _ in redirected[2])
    assert asked[4]["WARC-Concurrent-To"] == page[4]["WARC-Record-ID"]
    assert page[4]["WARC-IP-Address"] == "127.0.0.1"
    whole = b"".join(gzip.decompress(path.read_bytes()) for path in tmp_path.iterdir())
    assert b"topsecret" not in whole
    assert b"X-Name: \xb1\xea" in whole


def test_what_a_login_sent_and_what_it_was_answered_are_not_kept(tmp_path: Path) -> None:
    archive = WarcFolder(tmp_path, "harvest/test")
    archive.add(
        replace(exchange(wire=b"welcome keeper"), method="POST", request_body=b"user=keeper", secret=True)
    )
    archive.close()
    kept = list(records(tmp_path))
    assert [(kind, body) for kind, _, _, body, _ in kept[1:]] == [("response", b""), ("request", b"")]
    assert kept[1][4]["WARC-Truncated"] == "unspecified"


def test_a_torn_end_is_cut_off_and_everything_before_it_is_kept(tmp_path: Path) -> None:
    archive = WarcFolder(tmp_path, "harvest/test")
    for number in range(5):
        archive.add(exchange(number))
    archive.close()
    (whole,) = tmp_path.iterdir()
    content = whole.read_bytes()
    complete = len(list(records(tmp_path)))
    for cut in (1, 7, 150):
        torn = whole.with_name(whole.name + ".open")
        torn.write_bytes(content[:-cut])
        whole.unlink()
        assert mend(tmp_path) == [whole]
        assert complete - 2 <= len(list(records(tmp_path))) < complete
    assert mend(tmp_path) == []


def test_a_file_that_another_process_writes_is_left_alone(tmp_path: Path) -> None:
    one = WarcFolder(tmp_path, "harvest/test")
    one.add(exchange())
    while not list(tmp_path.glob("*.open")):
        pass
    two = WarcFolder(tmp_path / ".", "harvest/test")
    assert len(list(tmp_path.glob("*.open"))) == 1
    one.close()
    two.close()
    assert [path.suffix for path in tmp_path.iterdir()] == [".gz"]


def test_files_are_rotated_and_each_begins_with_what_wrote_it(tmp_path: Path) -> None:
    archive = WarcFolder(tmp_path, "harvest/test", rotate_bytes=1500)
    for number in range(6):
        archive.add(exchange(number))
    archive.close()
    files = sorted(tmp_path.iterdir())
    assert len(files) > 1
    kinds = [kind for kind, *_ in records(tmp_path)]
    assert kinds.count("warcinfo") == len(files)
    assert kinds.count("response") == 6


def test_chunking_is_undone_and_said_so(tmp_path: Path) -> None:
    archive = WarcFolder(tmp_path, "harvest/test")
    archive.add(exchange())
    archive.close()
    (head,) = [head for kind, _, head, *_ in records(tmp_path) if kind == "response"]
    assert ("X-Archive-Orig-Transfer-Encoding", "chunked") in head
    assert ("Content-Length", "4") in head


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_fetched(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnreachable, match="--warc"):
        WarcFolder(tmp_path / "file" / "folder", "harvest/test")


def test_a_full_disk_is_said_plainly(tmp_path: Path) -> None:
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from tests.fetch.test_warc import WarcFolder, exchange\n"
        "from harvester.errors import StoreFull\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "archive = WarcFolder(Path(sys.argv[1]), 'harvest/test')\n"
        "try:\n"
        "    for number in range(100_000):\n"
        "        archive.add(exchange(number))\n"
        "except StoreFull as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=60, check=True
    )
    assert "no space is left for WARC files" in done.stdout
    assert done.stderr == ""
    assert mend(tmp_path)
    assert list(records(tmp_path))[-1][0] in ("request", "response")
