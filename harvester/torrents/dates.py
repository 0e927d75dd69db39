"""The creation date of a torrent, as programs really write it."""

from __future__ import annotations


def read_date(value: object) -> tuple[int | None, str]:
    """(seconds since 1970 in UTC or None, flag or "") for the value under `creation date`.

    `value` is what the decoder gave: int, bytes, str, or anything else. None (key absent) is (None, "").
    Flags: `date_milliseconds`, `date_microseconds`, `date_text` (understood), `bad_date` (not understood:
    zero, negative, beyond the year 9999, no date). Never raises; bounded by the first 100 bytes.
    """
    raise NotImplementedError
