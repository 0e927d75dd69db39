"""The decoder: exact where bencode is canonical, tolerant where it is not, bounded everywhere."""

from __future__ import annotations

from typing import Any

import bencodepy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.errors import HarvestError, LimitExceeded, NotATorrent
from harvester.torrents import limits
from harvester.torrents.bencode import Document, decode, decode_exact
from tests.torrents.building import encode, torrent
from tests.torrents.corpus import samples
from tests.torrents.fuzzing import mutants

values = st.recursive(
    st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=30),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.binary(max_size=8), inner, max_size=5),
    max_leaves=30,
)
dictionaries = st.dictionaries(
    st.binary(max_size=8) | st.sampled_from([b"info", b"a", b"z"]), values, max_size=6
)


def span(document: Document) -> bytes:
    return document.body[document.info_start : document.info_end]


@given(dictionaries)
def test_what_bencodepy_encodes_is_decoded_by_both_decoders(value: dict[bytes, Any]) -> None:
    body = encode(value)
    for document in (decode(body), decode_exact(body)):
        assert document.root == value
        assert document.flags == set()
        assert document.end == len(body)


@given(dictionaries)
def test_what_is_decoded_agrees_with_bencodepy(value: dict[bytes, Any]) -> None:
    body = encode(value)
    assert decode_exact(body).root == bencodepy.decode(body)


@given(dictionaries, dictionaries, st.binary(max_size=5))
def test_the_span_of_info_is_its_bytes(
    info: dict[bytes, Any], other: dict[bytes, Any], trailing: bytes
) -> None:
    body = encode(other | {b"info": info}) + trailing
    for document in (decode(body), decode_exact(body)):
        assert span(document) == encode(info)
        assert document.end == len(body) - len(trailing)


@given(dictionaries)
def test_without_info_there_is_no_span(value: dict[bytes, Any]) -> None:
    value.pop(b"info", None)
    assert span(decode(encode(value))) == b""


def test_both_decoders_agree_on_every_mutant() -> None:
    for number, body in mutants(500_000, 3_000):
        if body[:1] != b"d":
            continue
        results = []
        for read in (decode, decode_exact):
            try:
                document = read(body)
                results.append(
                    (document.root, document.info_start, document.info_end, document.end, document.flags)
                )
            except HarvestError as error:
                results.append((str(error),))
        assert results[0] == results[1], number


@pytest.mark.parametrize(
    ("body", "root", "flags"),
    [
        (b"d1:bi1e1:ai2ee", {b"b": 1, b"a": 2}, {"unsorted_keys"}),
        (b"d1:ai1e1:ai2ee", {b"a": 1}, {"duplicate_keys"}),
        (b"d1:ai1e1:bi2e1:ai3ee", {b"a": 1, b"b": 2}, {"duplicate_keys"}),
        (b"d1:ai007ee", {b"a": 7}, {"leading_zero"}),
        (b"d1:ai-0ee", {b"a": 0}, {"leading_zero"}),
        (b"d1:ai-07ee", {b"a": -7}, {"leading_zero"}),
        (b"d1:a03:xyze", {b"a": b"xyz"}, {"leading_zero"}),
        (b"d01:ai1ee", {b"a": 1}, {"leading_zero"}),
        (b"d1:ai1ee\n", {b"a": 1}, {"trailing_bytes"}),
        (b"d1:ai1ee123", {b"a": 1}, {"trailing_bytes"}),
        (b"d1:ai1eed1:bi2ee", {b"a": 1}, {"trailing_bytes"}),
        (b"d1:ai-2.69E+18ee", {b"a": b"-2.69E+18"}, {"odd_integer"}),
        (b"d1:ai1.5e+9ee", {b"a": b"1.5e+9"}, {"odd_integer"}),
        (b"d1:aiee", {b"a": b""}, {"odd_integer"}),
        (b"d1:ai+5ee", {b"a": b"+5"}, {"odd_integer"}),
        (b"d1:ai 5 ee", {b"a": b" 5 "}, {"odd_integer"}),
        (b"d1:ai1_0ee", {b"a": b"1_0"}, {"odd_integer"}),
        (b"d1:ai" + b"9" * 4300 + b"ee", {b"a": int("9" * 4300)}, set()),
        (b"d1:ai-" + b"9" * 4300 + b"eex", {b"a": -int("9" * 4300)}, {"trailing_bytes"}),
        (b"d1:ai" + b"9" * 5000 + b"ee", {b"a": b"9" * 64}, {"odd_integer"}),
    ],
)
def test_a_fault_is_read_and_flagged(body: bytes, root: dict[bytes, Any], flags: set[str]) -> None:
    document = decode(body)
    assert (document.root, document.flags) == (root, flags)


def test_the_first_info_counts() -> None:
    document = decode(b"d4:infod1:ai1ee4:infod1:ai2eee")
    assert span(document) == b"d1:ai1ee"
    assert document.root == {b"info": {b"a": 1}}


def test_an_info_further_down_is_not_the_info() -> None:
    document = decode(b"d1:ad4:infod1:xi1eee4:infod1:yi2eee")
    assert span(document) == b"d1:yi2ee"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"d1:a2:bb-7:e", "bencode"),  # bencode.py reads this for ever
        (b"d1:a-1:be", "bencode"),
        (b"d1:a5 :abcdee", "bencode"),
        (b"d1:ae", "bencode"),
        (b"di1e1:ae", "bencode"),
        (b"dl1:aee", "bencode"),
        (b"d1:axe", "bencode"),
        (b"d1:ai5xe", "bencode"),
        (b"d1:a" + b"9" * 30 + b":xe", "bencode"),
        (b"d1:a9999999999:xe", "truncated"),
        (b"d", "truncated"),
        (b"d1", "truncated"),
        (b"d1:a", "truncated"),
        (b"d1:ai5", "truncated"),
        (b"l1:ae", "bencode"),
        (b"", "bencode"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_kind(body: bytes, kind: str) -> None:
    with pytest.raises(NotATorrent) as caught:
        decode(body)
    assert caught.value.kind == kind


def test_a_file_cut_anywhere_is_called_truncated() -> None:
    body = torrent(announce=b"http://a/", comment=b"some words")
    for length in range(1, len(body)):
        with pytest.raises(NotATorrent) as caught:
            decode(body[:length])
        assert caught.value.kind == "truncated", body[:length]


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes_end_in_a_document_or_in_our_error(tail: bytes) -> None:
    for body in (tail, b"d" + tail, b"d4:info" + tail):
        outcome: object
        try:
            outcome = decode(body).root
        except HarvestError as error:
            outcome = error
        assert isinstance(outcome, dict) or str(outcome)


@pytest.mark.parametrize(
    "nested",
    [
        lambda depth: b"d1:a" + b"l" * depth + b"e" * depth + b"e",
        lambda depth: b"d1:a" * (depth + 1) + b"i1e" + b"e" * (depth + 1),
        lambda depth: b"d4:infod1:a" + b"l" * (depth - 1) + b"e" * (depth - 1) + b"ee",
        lambda depth: b"d4:info" + b"l" * depth + b"e" * depth + b"e",
    ],
)
def test_one_hundred_levels_are_read_and_one_more_is_refused_by_both_decoders(nested: Any) -> None:
    deepest = limits.MAX_DEPTH - 1
    for read in (decode, decode_exact):
        read(nested(deepest))
        with pytest.raises(LimitExceeded):
            read(nested(deepest + 1))


def test_a_body_of_more_bytes_than_the_limit_is_refused() -> None:
    with pytest.raises(LimitExceeded):
        decode(b"d1:a" + b"9999990:" + b"x" * 9_999_990 + b"e")


def test_more_items_than_the_limit_are_refused() -> None:
    with pytest.raises(LimitExceeded):
        decode(b"d1:al" + b"i0e" * 3_000_000 + b"ee")
    with pytest.raises(LimitExceeded):
        decode(b"d1:al" + b"le" * 760_000 + b"ee\n")


def test_every_file_of_the_corpus_has_the_span_of_info_that_its_list_says() -> None:
    import hashlib

    checked = 0
    for sample in samples():
        if sample.sha1:
            assert hashlib.sha1(span(decode(sample.body))).hexdigest() == sample.sha1, sample.name
            checked += 1
    assert checked > 250
