"""All 282 files of public test suites, against what libtorrent says of them and what the docs say of us."""

from __future__ import annotations

from pathlib import Path

import pytest

from harvester.errors import HarvestError
from harvester.torrents import identify, parse_torrent, recognise
from tests.torrents.corpus import Sample, accepted, samples

DOCS = Path(__file__).resolve().parents[2] / "docs" / "torrents.md"


def takes(sample: Sample) -> bool:
    try:
        parse_torrent(sample.body)
    except HarvestError:
        return False
    return True


def test_the_corpus_is_whole() -> None:
    assert len(samples()) == 282
    assert len(accepted()) == 200


@pytest.mark.parametrize("sample", accepted(), ids=lambda sample: sample.name)
def test_what_libtorrent_accepts_has_the_same_infohashes(sample: Sample) -> None:
    torrent = parse_torrent(sample.body)
    assert (torrent.infohash_v1 or "", torrent.infohash_v2 or "") == (sample.infohash_v1, sample.infohash_v2)


def test_identify_recognise_and_parse_torrent_judge_alike() -> None:
    for sample in samples():
        verdict = recognise(sample.body)
        assert verdict.is_torrent == takes(sample), sample.name
        if verdict.is_torrent:
            torrent, identity = parse_torrent(sample.body), identify(sample.body)
            assert (torrent.infohash_v1, torrent.infohash_v2) == (identity.infohash_v1, identity.infohash_v2)
            assert set(identity.flags) <= set(torrent.flags), sample.name
        else:
            assert verdict.reason
            with pytest.raises(HarvestError):
                identify(sample.body)


def test_sizes_and_paths_agree_with_libtorrent() -> None:
    import libtorrent

    compared = 0
    for sample in accepted():
        theirs = libtorrent.torrent_info(sample.body)
        ours = parse_torrent(sample.body)
        layout = theirs.layout()
        padding = sum(
            layout.file_size(index)
            for index in range(layout.num_files())
            if layout.file_flags(index) & libtorrent.file_flags_t.flag_pad_file
        )
        if "hybrid_mismatch" not in ours.flags:
            assert ours.size == layout.total_size() - padding, sample.name
            compared += 1
        assert ours.private == theirs.priv() or "odd_private" in ours.flags, sample.name
        assert ours.piece_length == theirs.piece_length(), sample.name
    assert compared > 190


def test_nothing_of_the_corpus_is_shown_unsafely() -> None:
    for sample in samples():
        if not takes(sample):
            continue
        torrent = parse_torrent(sample.body)
        seen = set()
        for file in (*torrent.files, *torrent.symlinks):
            assert 0 < len(file.path) <= 100, sample.name
            for component in file.path:
                assert component not in ("", ".", ".."), (sample.name, component)
                assert component.isprintable(), (sample.name, component)
                assert not set(component) & set("/\\"), (sample.name, component)
            folded = "/".join(file.path).casefold()
            assert folded not in seen, (sample.name, folded)
            seen.add(folded)
        assert torrent.name.isprintable(), sample.name
        assert torrent.display_name, sample.name


def documented() -> dict[str, tuple[str, str]]:
    """The rows of the table of differences: file -> (libtorrent's reason, our flags)."""
    rows = {}
    _, _, section = DOCS.read_text(encoding="utf-8").partition(
        "## Where Harvest accepts and libtorrent does not"
    )
    for line in section.partition("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 4 and cells[0].startswith("`"):
            assert cells[3], line
            rows[cells[0].strip("`")] = (cells[1], cells[2])
    return rows


def test_the_docs_list_every_difference_in_acceptance_and_no_other() -> None:
    expected = {
        sample.name: (
            sample.refusal.partition(" [")[0],
            ", ".join(f"`{flag}`" for flag in parse_torrent(sample.body).flags),
        )
        for sample in samples()
        if not sample.accepted and takes(sample)
    }
    assert documented() == expected


def test_nothing_that_libtorrent_accepts_is_missed() -> None:
    assert [sample.name for sample in accepted() if not takes(sample)] == []
