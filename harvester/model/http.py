"""An HTTP exchange as the rest of the program sees it: request, response, limits, cookies.

Values only. Who sends them is `harvester.ports.fetch`; what a response means is for others to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC
from email.utils import parsedate_to_datetime

from msgspec import Struct, field

from harvester.model.disposition import disposition_filename
from harvester.model.redact import shown

OFFSITE = "offsite"
"""Why a redirect was reported instead of followed: it leaves the site. A `vet` may return it, too."""

SECRET = "secret"  # noqa: S105 - the word for a reason, no password
"""Why a redirect was reported instead of followed: the request carries credentials."""


class Headers:
    """Header fields in the order received, names case-insensitive, values also as the raw bytes.

    Several fields of one name stay apart. Text is read as latin-1 (RFC 9110 5.5), which loses nothing:
    `get_bytes` returns what was on the wire, for the fields in which sites send GBK or UTF-8.
    """

    __slots__ = ("raw",)

    raw: tuple[tuple[bytes, bytes], ...]

    def __init__(self, raw: Iterable[tuple[bytes, bytes]] = ()) -> None:
        self.raw = tuple(raw)

    @classmethod
    def of(cls, **fields: str) -> Headers:
        """Headers from keywords, `_` in a name standing for `-`: for tests and fakes."""
        return cls(
            (name.replace("_", "-").encode("latin-1"), value.encode("latin-1"))
            for name, value in fields.items()
        )

    def get_bytes(self, name: str) -> bytes | None:
        """The first value of `name` as received, or None."""
        wanted = name.lower().encode("latin-1")
        size = len(wanted)
        for key, value in self.raw:
            if len(key) == size and key.lower() == wanted:
                return value
        return None

    def get(self, name: str, default: str = "") -> str:
        """The first value of `name` as text, or `default`."""
        value = self.get_bytes(name)
        return default if value is None else value.decode("latin-1")

    def get_all(self, name: str) -> tuple[str, ...]:
        """Every value of `name`, in order."""
        wanted = name.lower().encode("latin-1")
        return tuple(value.decode("latin-1") for key, value in self.raw if key.lower() == wanted)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get_bytes(name) is not None

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return ((key.decode("latin-1"), value.decode("latin-1")) for key, value in self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Headers) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        # Values may be secrets (Set-Cookie); a repr ends in logs and tracebacks.
        return f"Headers({', '.join(key.decode('latin-1') for key, _ in self.raw)})"


class Request(Struct, frozen=True):
    """What is asked.

    `url` is absolute and goes out byte for byte, without its fragment and userinfo; only what may not stand
    in a request line (blanks, controls, characters beyond ASCII) is percent-encoded as UTF-8.
    `headers` come on top of the fetcher's own and win over them. `body` is sent as it is, so a form is
    encoded by its maker, with its Content-Type. `referer` is an absolute URL; what of it is sent follows
    `strict-origin-when-cross-origin`, as browsers do.
    `secret` marks a request that carries credentials: its redirects are reported, never followed, and its
    headers and body do not appear in its repr.
    """

    url: str
    method: str = "GET"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    referer: str = ""
    secret: bool = False

    def __repr__(self) -> str:
        return shown(self, hiding={"headers", "body"})


class Hop(Struct, frozen=True):
    """One redirect that was followed: `url` answered `status`, its `location` (absolute) came next."""

    url: str
    status: int
    location: str


class Response(Struct, frozen=True):
    """A complete answer: a body that ended early is an error, never a response.

    `url` is the one that answered (the last of the chain), `body` is decoded (gzip, brotli, …) and
    `encoded_size` the bytes of it that crossed the wire. `elapsed` is seconds for the whole chain, `latency`
    seconds until the head of the last answer; `from_ip` is the address that was connected to ("" when a
    proxy hides it).
    A redirect that was not followed is a response with a 3xx `status`: `next_url` is its target, absolute,
    and `stopped` says why (`OFFSITE`, `SECRET`); both are "" otherwise.
    """

    url: str
    status: int
    headers: Headers = field(default_factory=Headers)
    body: bytes = b""
    redirects: tuple[Hop, ...] = ()
    elapsed: float = 0.0
    latency: float = 0.0
    from_ip: str = ""
    encoded_size: int = 0
    next_url: str = ""
    stopped: str = ""

    def __repr__(self) -> str:
        return shown(self, hiding={"body"})

    @property
    def content_type(self) -> str:
        """The media type in lower case without parameters (`text/html`), "" when none is declared."""
        return self.headers.get("content-type").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """The charset parameter of Content-Type in lower case, "" when there is none."""
        for part in self.headers.get("content-type").split(";")[1:]:
            name, _, value = part.partition("=")
            if name.strip().lower() == "charset":
                return value.strip().strip("\"'").strip().lower()
        return ""

    @property
    def filename(self) -> str:
        """The file name of Content-Disposition, "" when there is none (see `disposition_filename`)."""
        value = self.headers.get_bytes("content-disposition")
        return "" if value is None else disposition_filename(value)

    def retry_after(self, now: float) -> float | None:
        """Seconds from `now` (UTC) that Retry-After asks to wait, at least 0; None without a usable one."""
        value = self.headers.get("retry-after").strip()
        if value.isascii() and value.isdigit():
            return float(value[:9])
        if not value or len(value) > 64:
            return None
        try:
            moment = parsedate_to_datetime(value)
            if moment.tzinfo is None:  # "-0000", which RFC 5322 gives to unknown zones
                moment = moment.replace(tzinfo=UTC)
            return max(0.0, moment.timestamp() - now)
        except (ValueError, TypeError, OverflowError):
            return None


class FetchLimits(Struct, frozen=True):
    """How much time and how many bytes one fetch may cost. Times in seconds, sizes in bytes.

    `total` covers the whole chain of redirects. `connect` is for name, TCP and TLS together, `idle` the
    longest silence. After `slow_grace` seconds a body must have come at `slow_rate` bytes a second on
    average. `body` caps what is received and, separately, what it decodes to.
    """

    total: float = 120.0
    connect: float = 20.0
    idle: float = 30.0
    slow_grace: float = 20.0
    slow_rate: float = 512.0
    body: int = 12 << 20
    redirects: int = 10


class JarKey(Struct, frozen=True):
    """Whose cookies a request uses: the name of a site, and of the account there ("" for a guest)."""

    site: str
    account: str = ""


class Cookie(Struct, frozen=True):
    """One cookie (RFC 6265 5.3); `value` is what stood on the wire, never decoded.

    `domain` is in lower case without a leading dot; with `host_only` no sub-domain gets it. `expires` is
    UTC seconds, None for as long as the jar lives.
    """

    name: str
    value: str
    domain: str
    path: str = "/"
    host_only: bool = True
    secure: bool = False
    expires: float | None = None

    def __repr__(self) -> str:
        return shown(self, hiding={"value"})


class RobotsAnswer(Struct, frozen=True):
    """What asking for /robots.txt gave: no decision, only the facts for one (RFC 9309 2.3).

    `status` is None when no answer came, `why` then says what happened and `refused` is the reason word
    when it was Harvest that would not ask (`private_address`). `body` is at most the first
    500 KiB. `url` is where the last answer came from.
    """

    url: str
    status: int | None
    body: bytes = b""
    why: str = ""
    refused: str = ""

    def __repr__(self) -> str:
        return shown(self, hiding={"body"})
