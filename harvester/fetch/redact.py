"""One filter for log records of the program and of its libraries.

A filter on a logger sees only what is logged to that very logger: put this one on every handler.
"""

from __future__ import annotations

import logging

from harvester.model.redact import redact_text

# httpx writes a line with the full URL for every request; aiohttp and httpcore write as much at DEBUG.
_CHATTY = ("httpx", "httpcore", "aiohttp", "asyncio", "python_socks")


class RedactingFilter(logging.Filter):
    """Takes secrets out of a record's message and traceback before any handler sees it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true; the record is changed in place."""
        record.msg = redact_text(record.getMessage())
        record.args = None
        if record.exc_info and not record.exc_text:
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = redact_text(record.exc_text)
        if record.stack_info:
            record.stack_info = redact_text(record.stack_info)
        return True


def quiet_libraries() -> None:
    """Let the HTTP libraries speak only of what is wrong, and redact that."""
    redacting = RedactingFilter()
    for name in _CHATTY:
        logger = logging.getLogger(name)
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.WARNING)
        if not any(isinstance(present, RedactingFilter) for present in logger.filters):
            logger.addFilter(redacting)
