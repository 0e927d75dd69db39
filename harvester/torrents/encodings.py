"""Which charset the names of one torrent are in (Transmission #3442, BitComet's `.utf-8` twins)."""

from __future__ import annotations

from collections.abc import Sequence

import chardet
from msgspec import Struct

from harvester.torrents.charsets import ASKED_FOR, CODECS, DETECTABLE, known_label, naturalness, strict_decode

_SEPARATOR = "\n\0\n"
_SAMPLE_BYTES = 20_000
_SAMPLE_NAMES = 1_000
_MOST_LOST = 0.5
_LOOKED_AT = 5_000
_BELIEVED = 0.6
_CONTRADICTION = 0.6
_SURE_MARGIN = 0.15
_SHORT = 6


class DecodedNames(Struct, frozen=True):
    """The text of the names of one torrent, in the order given.

    `encoding` is the charset of what is not UTF-8 (IANA label; `utf-8` when all is).
    `flags` are stable words: `encoding_declared`, `encoding_codepage`, `encoding_detected`,
    `encoding_fallback` (how it was chosen when not UTF-8), `encoding_unsure` (little to go by, or two
    charsets fit about as well), `encoding_mixed` (more than one charset in one torrent), `encoding_lies`
    (the declared one cannot be right), `encoding_unknown` (declared, not one we know), `names_from_twin`
    (a `.utf-8` twin replaced a name of other bytes), `bad_utf8_twin`.
    """

    texts: list[str]
    encoding: str
    flags: frozenset[str]


def decode_names(
    names: Sequence[bytes],
    *,
    twins: Sequence[bytes | None] | None = None,
    declared: object = None,
    codepage: object = None,
) -> DecodedNames:
    """Decode all names of one torrent together: root name, every path component, comment, …

    `names` are raw; `twins`, when given, is as long as `names` and holds the `.utf-8` twin of each name
    or None. `declared` is the value of `encoding`, `codepage` that of `codepage`, whatever their types.
    Order: twin, strict UTF-8, declared, codepage, detection over all names, cp1252 with a flag.
    Never raises and loses no name: two names that differ in bytes may give equal text, that is for
    `paths.safe_paths` to part. All-UTF-8 costs one join, one decode, one split.
    """
    flags: set[str] = set()
    if twins is not None:
        names = _with_twins(names, twins, flags)
    texts = _utf8_at_once(names)
    if texts is not None:
        _flag_declaration(declared, flags)
        return DecodedNames(texts, "utf-8", frozenset(flags))
    texts = _decode_each(names, "utf-8")
    wrong = [
        place for place, (name, text) in enumerate(zip(names, texts, strict=True)) if not _fits(name, text)
    ]
    raw = [names[place] for place in wrong]
    label = _choose(raw, declared, codepage, flags)
    readings, read_in = _read(raw, label, flags)
    for place, text in zip(wrong, readings, strict=True):
        texts[place] = text
    if _has_utf8_names(names, texts, set(wrong), label):
        flags.add("encoding_mixed")
    return DecodedNames(texts, read_in, frozenset(flags))


def _with_twins(names: Sequence[bytes], twins: Sequence[bytes | None], flags: set[str]) -> list[bytes]:
    """The names with every usable twin in its place."""
    chosen = list(names)
    for place, twin in enumerate(twins):
        if twin is None or not twin or twin == chosen[place]:
            continue
        if strict_decode(twin, "utf-8") is None:
            flags.add("bad_utf8_twin")
            continue
        chosen[place] = twin
        flags.add("names_from_twin")
    return chosen


def _utf8_at_once(names: Sequence[bytes]) -> list[str] | None:
    """Every name as UTF-8, or None when one is not.

    A cut-off sequence before the ASCII separator is an error, so the whole is UTF-8 exactly when each is.
    """
    try:
        texts = _SEPARATOR.encode().join(names).decode("utf-8").split(_SEPARATOR)
        return texts if len(texts) == len(names) else [name.decode("utf-8") for name in names]
    except UnicodeDecodeError:
        return None


def _decode_each(names: Sequence[bytes], codec: str) -> list[str]:
    """Every name through `codec`, U+FFFD where a byte does not fit; no exception is raised for it."""
    return [name.decode(codec, "replace") for name in names]


def _fits(name: bytes, text: str) -> bool:
    """Whether a lenient reading as UTF-8 had nothing to replace."""
    return "\ufffd" not in text or text.encode("utf-8") == name


def _flag_declaration(declared: object, flags: set[str]) -> str | None:
    """The label of a declared encoding; one that is no charset we know is flagged."""
    if declared is None or declared in (b"", ""):
        return None
    label = known_label(declared)
    if label is None:
        flags.add("encoding_unknown")
    return label


def _choose(raw: list[bytes], declared: object, codepage: object, flags: set[str]) -> str:
    """The one charset for the names that are not UTF-8; how it was found goes into `flags`."""
    sample = _sample(raw)
    declared_label = _flag_declaration(declared, flags)
    detection: tuple[str, dict[str, float]] | None = None
    for label, how in ((declared_label, "encoding_declared"), (known_label(codepage), "encoding_codepage")):
        if label is None:
            continue
        score = None if label == "utf-8" else _score(sample, label)
        if score is not None and score < _BELIEVED:
            detection = detection or _detect(sample)
            score = score if detection[1].get(detection[0], 0.0) - score < _CONTRADICTION else None
        if score is not None:
            flags.add(how)
            return label
        if how == "encoding_declared":
            flags.add("encoding_lies")
    detected, scores = detection or _detect(sample)
    if not detected:
        flags.add("encoding_fallback")
        return "windows-1252"
    flags.add("encoding_detected")
    others = sorted((score for label, score in scores.items() if label != detected), reverse=True)
    if _beyond_ascii(sample) < _SHORT or (others and scores[detected] - others[0] < _SURE_MARGIN):
        flags.add("encoding_unsure")
    return detected


def _sample(raw: list[bytes]) -> list[bytes]:
    """Distinct names, up to a thousand of some 20 kB: enough to know a charset by, at a bounded price."""
    chosen: dict[bytes, None] = {}
    size = 0
    for name in raw:
        if name not in chosen:
            chosen[name[:_SAMPLE_BYTES]] = None
            size += len(name) + 1
            if size > _SAMPLE_BYTES or len(chosen) >= _SAMPLE_NAMES:
                break
    return list(chosen)


def _beyond_ascii(sample: list[bytes]) -> int:
    return sum(1 for name in sample for byte in name if byte > 0x7F)


def _score(sample: list[bytes], label: str) -> float | None:
    """How natural the sample looks in `label`; what it cannot read counts against it; None if most."""
    read: list[str] = []
    unread: list[bytes] = []
    for name in sample:
        text = strict_decode(name, label)
        if text is None:
            unread.append(name)
        else:
            read.append(text)
    lost = _beyond_ascii(unread) / max(1, _beyond_ascii(sample)) if unread else 0.0
    return None if lost > _MOST_LOST else naturalness("\n".join(read), label) * (1 - lost) - lost


def _detect(sample: list[bytes]) -> tuple[str, dict[str, float]]:
    """The label that reads `sample` most naturally ("" when none does), and the score of each that reads it.

    The detector's word counts by its share among the charsets asked for, and less the shorter the input:
    it is made for pages.
    """
    scores: dict[str, float] = {}
    for label in dict.fromkeys(DETECTABLE.values()):
        score = _score(sample, label)
        if score is not None:
            scores[label] = score
    if not scores:
        return "", scores
    shares = _detector_shares(b"\n".join(sample))
    trust = 0.6 * min(1.0, _beyond_ascii(sample) / 24)
    for label in scores:
        scores[label] += trust * shares.get(label, 0.0)
    detected = max(scores, key=lambda label: scores[label])
    return (detected if scores[detected] > 0 else ""), scores


def _detector_shares(sample: bytes) -> dict[str, float]:
    """Each charset's share of the detector's confidence."""
    answers = chardet.detect_all(
        sample, include_encodings=ASKED_FOR, compat_names=False, ignore_threshold=True
    )
    shares: dict[str, float] = {}
    for answer in answers:
        label = DETECTABLE.get(answer["encoding"] or "")
        if label is not None:
            shares[label] = max(shares.get(label, 0.0), answer["confidence"])
    total = sum(shares.values())
    return {label: share / total for label, share in shares.items()} if total else {}


def _read(raw: list[bytes], label: str, flags: set[str]) -> tuple[list[str], str]:
    """The names in `label`; those it cannot read in what fits them together, at last in cp1252 or latin-1."""
    texts = _decode_each(raw, CODECS[label][0])
    left = [place for place, text in enumerate(texts) if "\ufffd" in text]
    if left and len(CODECS[label]) > 1:
        left = _reread(raw, texts, left, CODECS[label][1])
    if not left:
        return texts, label
    read_in = label
    if len(left) < len(raw):
        flags.add("encoding_mixed")
    else:
        read_in = ""
    second, _ = _detect(_sample([raw[place] for place in left]))
    for codec, name in ((CODECS[second][0], second) if second else ("", ""), ("cp1252", "windows-1252")):
        if left and codec:
            before = len(left)
            left = _reread(raw, texts, left, codec)
            if len(left) < before:
                read_in = read_in or name
                flags.add("encoding_detected" if name == second else "encoding_fallback")
    if left:
        flags.add("encoding_fallback")
        for place in left:
            texts[place] = raw[place].decode("latin-1")
    return texts, read_in or "iso-8859-1"


def _reread(raw: list[bytes], texts: list[str], places: list[int], codec: str) -> list[int]:
    """Try `codec` at `places`; what it reads is written to `texts`, the places left over come back."""
    left: list[int] = []
    for place in places:
        text = raw[place].decode(codec, "replace")
        if "\ufffd" in text:
            left.append(place)
        else:
            texts[place] = text
    return left


def _has_utf8_names(names: Sequence[bytes], texts: list[str], wrong: set[int], label: str) -> bool:
    """Whether some name beyond ASCII really is UTF-8; one that only happens to be is read in `label` instead.

    Two bytes of GBK can be one letter of UTF-8 (U+0080 to U+07FF); a longer sequence hardly ever is chance.
    """
    real = False
    looked_at = 0
    for place, name in enumerate(names):
        text = texts[place]
        if place in wrong or text.isascii():
            continue
        looked_at += 1
        if looked_at > _LOOKED_AT:
            return True
        if max(text) < "\u0800":
            other = strict_decode(name, label)
            looks = max(naturalness(text, "windows-1251"), naturalness(text, "windows-1252"))
            if other is not None and naturalness(other, label) > looks:
                texts[place] = other
                continue
        real = True
    return real
