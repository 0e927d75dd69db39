from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.running import Done, run_command
from tests.links.vectors import FILE, HASH, MAGNET, thunder, vectors


def _run(*arguments: str, given: str = "") -> Done:
    return run_command("decode", *arguments, stdin=given.encode())


def _lines(done: Done) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_link_is_decoded_as_json() -> None:
    done = _run("--json", thunder(FILE))
    (answer,) = _lines(done)
    assert done.returncode == 0
    assert (answer["status"], answer["url"], answer["chain"]) == ("ok", FILE, ["thunder"])


def test_a_refused_link_names_its_reason_and_exits_1() -> None:
    done = _run("--json", thunder(FILE)[:-8])
    (answer,) = _lines(done)
    assert done.returncode == 1
    assert (answer["status"], answer["reason"]) == ("reject", "bad_marker")


def test_lines_of_the_input_are_decoded_and_a_part_refused_exits_3() -> None:
    done = _run("--json", "-", given=f"{thunder(FILE)}\n\njavascript:x\n{MAGNET}\n")
    assert [answer["status"] for answer in _lines(done)] == ["ok", "reject", "ok"]
    assert done.returncode == 3
    assert _run("--json", "a", "b").returncode == 1
    assert _run("-", given="\n").returncode == 1


def test_a_person_sees_the_url_and_how_it_came_about() -> None:
    done = _run(thunder("http://dl.example.com/电影.torrent"))
    assert done.stdout.splitlines()[0] == "http://dl.example.com/%E7%94%B5%E5%BD%B1.torrent"
    assert "thunder" in done.stdout
    assert "电影.torrent" in done.stdout
    refused = _run("nothing here")
    assert refused.returncode == 1
    assert "not_a_link" in refused.stderr


def test_a_relative_link_needs_its_page() -> None:
    done = _run(
        "--json", "--base", "https://bbs.example.com/thread-1.html", "forum.php?mod=attachment&amp;aid=5"
    )
    assert _lines(done)[0]["url"] == "https://bbs.example.com/forum.php?mod=attachment&aid=5"


def test_every_shared_link_decodes_from_the_input_with_all_it_holds() -> None:
    given = [vector for vector in vectors("url") if "base_url" not in vector and "\n" not in vector["input"]]
    done = _run("--json", "-", given="\n".join(vector["input"] for vector in given))
    answers = _lines(done)
    assert len(answers) == len(given)
    for vector, answer in zip(given, answers, strict=True):
        for name, value in vector["expect"].items():
            if name in ("reason", "reason_also") or value is None:
                continue
            found = answer[name]
            if isinstance(value, dict):
                found = {key: found[key] for key in value}
            assert found == value, (vector["id"], name)


def test_pages_texts_and_feeds_are_searched(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<a href='{MAGNET}'>x</a><a href='/a'>y</a>", encoding="utf-8")
    done = _run("--as", "html", "--json", "--base", "http://a.example/", str(page))
    assert _lines(done)[0]["links"] == [MAGNET, "http://a.example/a"]
    assert _run("--as", "text", "-", given=f"特征码：{HASH}").stdout.strip() == MAGNET
    feed = f"<rss><item><enclosure url='{FILE}' type='application/x-bittorrent'/></item></rss>"
    assert _run("--as", "xml", "-", given=feed).stdout.strip() == FILE
    in_gbk = tmp_path / "gbk.html"
    in_gbk.write_bytes(f"<meta charset=gbk><p>特征码：{HASH}</p>".encode("gbk"))
    assert _run("--as", "html", str(in_gbk)).stdout.strip() == MAGNET
    missing = _run("--as", "html", str(tmp_path / "missing.html"))
    assert missing.returncode == 1
    assert "cannot be read" in missing.stderr
