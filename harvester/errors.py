"""Every error Harvest raises on purpose, as one tree.

    HarvestError
    ├── UsageError                  the command was called wrongly                      exit 2
    │   ├── SettingsError           harvest.toml or HARVEST_… does not make sense
    │   ├── SiteFileError           a site or rule file is wrong: file, line, reason
    │   └── QueryError              a search query is wrong: position, reason
    ├── InputError                  what was given is not what it should be             exit 1
    │   ├── NotATorrent             the bytes are no torrent: kind and reason
    │   ├── LimitExceeded           more bytes, depth or items than the limits allow
    │   └── LinkRejected            a link that leads nowhere: reason
    ├── FetchError                  a request got no usable answer                      exit 1
    │   ├── Refused                 not sent, or its redirect not followed, on purpose
    │   ├── NameNotResolved         DNS has no address for the host
    │   ├── ConnectFailed           no connection (refused, reset, TLS, proxy)
    │   ├── TimedOut                a deadline passed: connect, read, slow body, total
    │   ├── BodyTooLarge            more bytes than the cap, as sent or as decoded
    │   ├── BodyTruncated           the connection ended before the body did
    │   ├── BadResponse             not HTTP, or an undecodable body
    │   └── TooManyRedirects        a redirect loop or an endless chain
    ├── StoreError                  database or blob folder                             exit 1
    │   ├── StoreBusy               another process holds the database
    │   ├── StoreFull               no space left
    │   ├── StoreUnreachable        the database or blob store does not answer
    │   ├── StoreDamaged            what is stored contradicts itself
    │   └── NotFound                nothing is stored under that name
    ├── QueueError                  Redis does not answer, or a job cannot be queued    exit 1
    ├── AccessError                 an account action failed or is not allowed          exit 1
    └── DoneInPart                  some of what was asked is done, the rest is named   exit 3

An error says what happened (`what`), why (`why`) and what to do next (`hint`); the command line prints
them as one line and turns the class into the exit code. Nothing else is caught there: any other
exception is a fault of the program and shows its traceback.
"""

from __future__ import annotations

from typing import ClassVar


class HarvestError(Exception):
    """The root of the tree.

    `what` is a sentence without a full stop, `why` the cause, `hint` the next step for the person.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, *, why: str = "", hint: str = "") -> None:
        self.what = what
        self.why = why
        self.hint = hint
        super().__init__(what)

    def __str__(self) -> str:
        text = f"{self.what}: {self.why}" if self.why else self.what
        return f"{text} ({self.hint})" if self.hint else text


class UsageError(HarvestError):
    """The command was called in a way that cannot work."""

    exit_code = 2


class SettingsError(UsageError):
    """A setting is missing or does not make sense."""


class SiteFileError(UsageError):
    """A site or rule file is refused.

    `file` is its name as the person knows it, `line` counts from 1 (0: the whole file).
    """

    def __init__(self, file: str, line: int, reason: str, *, hint: str = "") -> None:
        self.file = file
        self.line = line
        self.reason = reason
        where = f"{file}, line {line}" if line else file
        super().__init__(where, why=reason, hint=hint)


class QueryError(UsageError):
    """A search query is wrong at `position` (characters from 0)."""

    def __init__(self, query: str, position: int, reason: str) -> None:
        self.query = query
        self.position = position
        self.reason = reason
        super().__init__(f"the query is wrong at character {position + 1}", why=reason)


class InputError(HarvestError):
    """What was given is not what it should be."""


class NotATorrent(InputError):
    """The bytes are no torrent.

    `kind` names what they are (`html`, `empty`, `bencode`, `other`), `reason` says it in words.
    """

    def __init__(self, kind: str, reason: str) -> None:
        self.kind = kind
        self.reason = reason
        super().__init__("no torrent", why=reason)


class LimitExceeded(InputError):
    """The input is larger, deeper or fuller than `limit` allows."""

    def __init__(self, what: str, limit: int) -> None:
        self.limit = limit
        super().__init__(what, why=f"the limit is {limit:,}")


class LinkRejected(InputError):
    """A link that leads nowhere; `reason` is a stable word such as `bad_base64`."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        super().__init__(f"link rejected: {reason}", why=detail)


class FetchError(HarvestError):
    """A request got no usable answer from `url`.

    `kind` is a stable word for counting; `transient` says whether a later try makes sense.
    """

    kind: ClassVar[str] = "fetch"
    transient: ClassVar[bool] = True

    def __init__(self, url: str, why: str = "", *, hint: str = "") -> None:
        self.url = url
        super().__init__(url, why=why or self.kind, hint=hint)


class Refused(FetchError):
    """Not sent, or a redirect not followed, on purpose; `reason` is a stable word (`private_address`)."""

    kind = "refused"
    transient = False

    def __init__(self, url: str, reason: str, detail: str = "") -> None:
        self.reason = reason
        super().__init__(url, f"refused: {detail or reason}")


class NameNotResolved(FetchError):
    """DNS has no address for the host."""

    kind = "dns"


class ConnectFailed(FetchError):
    """No connection: refused, reset before an answer, TLS, proxy."""

    kind = "connect"


class TimedOut(FetchError):
    """A deadline passed."""

    kind = "timeout"


class BodyTooLarge(FetchError):
    """More bytes than the cap, as sent or as decoded."""

    kind = "too_large"
    transient = False


class BodyTruncated(FetchError):
    """The connection ended before the body did."""

    kind = "truncated"


class BadResponse(FetchError):
    """The answer is not HTTP, or its body cannot be decoded as declared."""

    kind = "bad_response"


class TooManyRedirects(FetchError):
    """A redirect loop or an endless chain."""

    kind = "redirects"
    transient = False


class StoreError(HarvestError):
    """The database or the blob store failed."""


class StoreBusy(StoreError):
    """Another process holds the database."""


class StoreFull(StoreError):
    """No space left where the data goes."""


class StoreUnreachable(StoreError):
    """The database or blob store does not answer."""


class StoreDamaged(StoreError):
    """What is stored contradicts itself."""


class NotFound(StoreError):
    """Nothing is stored under that name."""


class QueueError(HarvestError):
    """Redis does not answer, or a job cannot be queued."""


class AccessError(HarvestError):
    """An account action failed or is not allowed."""


class DoneInPart(HarvestError):
    """Some of what was asked is done; `what` names the rest."""

    exit_code = 3
