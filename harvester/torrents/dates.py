"""The creation date of a torrent, as programs really write it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_MAX_TEXT = 100
_LATEST = 253_402_300_799  # the last second of the year 9999
_PLAUSIBLE = 32_503_680_000  # the year 3000: no torrent is dated later, so a larger number is in finer units
_UNITS = ((1, ""), (1_000, "date_milliseconds"), (1_000_000, "date_microseconds"))

_DIGITS = re.compile(r"[+-]?\d{1,30}(?:\.\d{0,20})?")
_DAY_FIRST = re.compile(
    r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?:[ T,]{1,3}(\d{1,2}):(\d{2})(?::(\d{2}))?)?(?: ?(?:UTC|GMT|Z))?"
)
_YEAR_FIRST = re.compile(
    r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})"
    r"(?:[ T,]{1,3}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?(?: ?(?:UTC|GMT|Z))?"
)
_C_TIME = ("%a %b %d %H:%M:%S %Y", "%a %b %d %H:%M:%S UTC %Y", "%b %d %Y %H:%M:%S", "%b %d %Y", "%d %B %Y")


def read_date(value: object) -> tuple[int | None, str]:
    """(seconds since 1970 in UTC or None, flag or "") for the value under `creation date`.

    `value` is what the decoder gave: int, bytes, str, or anything else. None (key absent) is (None, "").
    Flags: `date_milliseconds`, `date_microseconds`, `date_text` (understood), `bad_date` (not understood:
    zero, negative, beyond the year 3000 in every unit, no date). A text without a zone is taken for UTC,
    `3/4/2015` for the third of April. Never raises; bounded by the first 100 characters.
    """
    if value is None:
        return None, ""
    if isinstance(value, int):
        return _from_number(int(value))
    if isinstance(value, bytes | bytearray):
        value = bytes(value[:_MAX_TEXT]).decode("latin-1")
    if not isinstance(value, str):
        return None, "bad_date"
    text = value[:_MAX_TEXT].strip(" \t\r\n\0")
    if _DIGITS.fullmatch(text):
        seconds, flag = _from_number(int(text.partition(".")[0]))
    else:
        seconds, flag = _from_words(text), ""
    if seconds is None:
        return None, "bad_date"
    return seconds, flag or "date_text"


def _from_number(number: int) -> tuple[int | None, str]:
    """Seconds out of a count of seconds, milliseconds or microseconds."""
    if number > 0:
        for unit, flag in _UNITS:
            if number // unit <= _PLAUSIBLE:
                return number // unit, flag
    return None, "bad_date"


def _from_words(text: str) -> int | None:
    """Seconds out of a written date: ISO 8601, RFC 2822, C's asctime, day-month-year."""
    for reader in (_iso, _numbers, _mail, _c_time):
        moment = reader(text)
        if moment is not None:
            return _seconds(moment)
    return None


def _seconds(moment: datetime) -> int | None:
    """The moment in seconds, when it lies after 1970."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        seconds = int(moment.timestamp())
    except (OverflowError, ValueError):
        return None
    return seconds if 0 < seconds <= min(_LATEST, _PLAUSIBLE) else None


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _numbers(text: str) -> datetime | None:
    if found := _DAY_FIRST.fullmatch(text):
        day, month, year, *clock = found.groups()
    elif found := _YEAR_FIRST.fullmatch(text):
        year, month, day, *clock = found.groups()
    else:
        return None
    if int(month) > 12 >= int(day):
        day, month = month, day
    hour, minute, second = (int(part or 0) for part in clock)
    try:
        return datetime(int(year), int(month), int(day), hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None


def _mail(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _c_time(text: str) -> datetime | None:
    for form in _C_TIME:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
