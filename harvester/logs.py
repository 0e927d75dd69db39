"""Where log records go: standard error, as text for people or as JSON for machines, without secrets."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

from harvester.fetch.redact import RedactingFilter, quiet_libraries
from harvester.settings import Settings

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
"""What every record has; anything beyond was given with `extra`."""


class _StandardError(logging.Handler):
    """Writes to what standard error is at that moment: a live display puts itself in its place."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):  # closed, or nobody reads any more
            pass


class TextFormat(logging.Formatter):
    """`2026-11-30 20:15:01 warning harvester.crawl: …`, UTC; one line for each line of the message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(word)s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")
        self.converter = time.gmtime

    def format(self, record: logging.LogRecord) -> str:
        record.word = record.levelname.lower()
        return "".join(
            character if character.isprintable() or character in "\n\t" else "�"
            for character in super().format(record)
        )


class JsonFormat(logging.Formatter):
    """One JSON object a line: `at` (UTC), `level`, `logger`, `message`, and what was given besides."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {
            "at": f"{at}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _USUAL}
        if record.exc_text or record.exc_info:
            line["exception"] = record.exc_text or self.formatException(record.exc_info)  # type: ignore[arg-type]  # one of the two
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(settings: Settings) -> None:
    """Send every record of `log_level` and above to standard error in `log_format`; may be called again.

    The program's own records keep to the level; libraries speak of what is wrong only. On a terminal, where a
    live display says the same, only warnings are told unless the level was set.
    """
    chosen = "log_level" in settings.model_fields_set or not sys.stderr.isatty()
    level = settings.log_level if chosen else "warning"
    handler = _StandardError()
    handler.setFormatter(JsonFormat() if settings.log_format == "json" else TextFormat())
    handler.addFilter(RedactingFilter())
    root = logging.getLogger()
    for old in [old for old in root.handlers if isinstance(old, _StandardError)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("harvester").setLevel(level.upper())
    quiet_libraries()
    for logger in [root, *(logging.getLogger(name) for name in list(root.manager.loggerDict))]:
        for other in logger.handlers:
            if not any(isinstance(present, RedactingFilter) for present in other.filters):
                other.addFilter(RedactingFilter())
