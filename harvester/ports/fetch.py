"""The contract of whoever sends requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from harvester.access.secrets import Login
from harvester.model.http import Cookie, FetchLimits, JarKey, Request, Response, RobotsAnswer

Vet = Callable[[str], str | None]
"""Asked for the absolute target of each redirect: None to follow it, or the reason not to."""

DEFAULT_LIMITS = FetchLimits()


class Fetcher(Protocol):
    """Sends requests and returns complete answers; keeps the cookies of each site and account.

    It knows nothing of robots, delays, scope or rules: whoever calls decides whether and when. It does
    refuse, always, what is unsafe: other schemes than http and https, and addresses of private networks
    that are not a configured site's. One call is one exchange (with its redirects); calls may overlap.
    """

    async def fetch(
        self,
        request: Request,
        *,
        vet: Vet | None = None,
        limits: FetchLimits = DEFAULT_LIMITS,
        jar: JarKey | None = None,
    ) -> Response:
        """Send `request`, follow its redirects, and return the last answer, whatever its status.

        Redirects: 301, 302, 303, 307 and 308 with a Location. 301 and 302 turn a POST, 303 everything but
        HEAD, into a GET without body; 307 and 308 send it again. `vet` is asked for the target of every
        hop before it is requested (not for `request.url` itself). None: it is followed. `OFFSITE`: the
        3xx answer is returned with `stopped` and `next_url`, for the caller to record. Any other word:
        `Refused` with that reason and the target's URL. Without a `vet`, only redirects within the same
        host are followed (also from http to https), others are returned as `OFFSITE`.
        Redirects of a `secret` request are never followed: the 3xx answer is returned, `stopped` is
        `SECRET`. On the way to another origin Authorization, Cookie and other headers of the caller's are
        left behind.
        A URL seen before in the chain ends it (`TooManyRedirects`), except that it may return
        once to where it was before a cookie was set.

        Cookies: those of `jar` that fit each hop are sent, those set by each hop are kept in it. No jar:
        they live for this one chain. What came over https is never sent in clear. A Cookie header of the
        caller's own replaces the jar's.

        Retries: none, but for one: an idempotent request on a kept connection that the server had
        closed meanwhile is sent again on a fresh one.

        Raises only `FetchError` and its subclasses, whose `url` is the hop that failed: `Refused`
        (`scheme`, `bad_url`, `bad_request`, `bad_port`, `private_address`, `local_name`, `downgrade`, or
        the vet's word; a redirect to `magnet:` or `thunder:` is `scheme`, its target whole in `url`),
        `NameNotResolved`, `ConnectFailed`, `TimedOut`, `BodyTooLarge`, `BodyTruncated`, `BadResponse`,
        `TooManyRedirects`. Cancelling the call closes its connection.
        """
        ...

    async def robots(self, origin: str, *, jar: JarKey | None = None) -> RobotsAnswer:
        """Ask `origin` (`https://host[:port]`) for its /robots.txt, following up to 5 redirects anywhere.

        Never raises a `FetchError`: what went wrong is in the answer (`status` None, `why`). A body
        beyond 500 KiB is cut there. The jar serves only to find the site's proxy; no cookies are sent.
        """
        ...

    def cookies(self, jar: JarKey) -> tuple[Cookie, ...]:
        """The cookies of a jar that have not expired, in no special order."""
        ...

    def set_cookies(self, jar: JarKey, cookies: Iterable[Cookie]) -> None:
        """Put cookies into a jar (an import, or those saved last time); same name, domain, path replace."""
        ...

    def forget_cookies(self, jar: JarKey) -> None:
        """Empty a jar."""
        ...

    def authorise(self, jar: JarKey, origin: str, scheme: str, login: Login | None) -> None:
        """Send credentials (`scheme` `basic` or `digest`) with every request of `jar` to `origin`.

        `origin` is `https://host[:port]`; no other one gets them, redirects included. Without a `login` none
        is sent any more. A digest whose nonce was used up costs one more request.
        """
        ...

    async def close_host(self, host: str) -> None:
        """Close the kept connections to `host` (its back queue is empty). Closed later anyway when idle."""
        ...

    async def aclose(self) -> None:
        """Close every connection; nothing may be fetched after it."""
        ...
