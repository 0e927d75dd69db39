"""A fetcher whose network is a simulator: every request is counted, nothing leaves the process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from benchmarks.simulators.base import SimResponse, Simulator
from harvester.access.secrets import Login
from harvester.errors import BadResponse, Refused, TooManyRedirects
from harvester.model.http import (
    OFFSITE,
    Cookie,
    FetchLimits,
    Headers,
    Hop,
    JarKey,
    Request,
    Response,
    RobotsAnswer,
)
from harvester.ports.fetch import DEFAULT_LIMITS, Vet

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and what came of it. `referer` is the page that showed the link, for a redirect's target
    the URL that redirected. `infohash` is set when the body is a torrent of the site."""

    url: str
    referer: str
    status: int
    infohash: str = ""


@dataclass
class SimFetcher:
    """The fetch port over one simulator (see `ports.fetch.Fetcher` for what it promises).

    `log` holds every exchange in order, redirects and robots.txt included: its length is the number of
    requests. Asks no other host: the answer there is an error, as from a name that does not resolve.
    """

    simulator: Simulator
    on_torrent: Callable[[str], None] = lambda _infohash: None
    """Called with the infohash of every torrent that is fetched."""
    log: list[Exchange] = field(default_factory=list)
    _jar: dict[str, str] = field(default_factory=dict)
    _by_content: dict[bytes, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_content = {t.content: t.infohash for t in self.simulator.torrents.values()}

    async def fetch(
        self,
        request: Request,
        *,
        vet: Vet | None = None,
        limits: FetchLimits = DEFAULT_LIMITS,
        jar: JarKey | None = None,
    ) -> Response:
        """One exchange with its redirects."""
        del jar
        url, referer = request.url.partition("#")[0], request.referer
        hops: list[Hop] = []
        seen = {url}
        while True:
            answer = self._ask(url, referer)
            if answer.status not in _REDIRECTS or not answer.location:
                return _response(url, answer, hops)
            target = urljoin(url, answer.location).partition("#")[0]
            same_host = urlsplit(target).netloc == urlsplit(url).netloc
            verdict = vet(target) if vet is not None else (None if same_host else OFFSITE)
            if verdict == OFFSITE:
                return _response(url, answer, hops, next_url=target, stopped=OFFSITE)
            if verdict is not None:
                raise Refused(target, verdict)
            if len(hops) >= limits.redirects or (target in seen and not _sets_cookie(answer)):
                raise TooManyRedirects(target, "the redirects go in a circle")
            hops.append(Hop(url, answer.status, target))
            seen.add(target)
            url, referer = target, url

    def _ask(self, url: str, referer: str) -> SimResponse:
        if urlsplit(url).netloc != self.simulator.host:
            raise BadResponse(url, "the simulation knows no other host")
        answer = self.simulator.fetch(url, self._jar)
        for name, value in answer.headers:
            if name == "Set-Cookie":
                key, _, rest = value.partition("=")
                self._jar[key] = rest.partition(";")[0]
        infohash = self._by_content.get(answer.body, "")
        self.log.append(Exchange(url, referer, answer.status, infohash))
        if infohash:
            self.on_torrent(infohash)
        return answer

    async def robots(self, origin: str, *, jar: JarKey | None = None) -> RobotsAnswer:
        """The site's robots.txt; another host has none."""
        del jar
        url = f"{origin}/robots.txt"
        if urlsplit(url).netloc != self.simulator.host:
            return RobotsAnswer(url, 404)
        answer = self._ask(url, "")
        return RobotsAnswer(url, answer.status, answer.body)

    def cookies(self, jar: JarKey) -> tuple[Cookie, ...]:
        """The site's cookies."""
        del jar
        return tuple(Cookie(name, value, self.simulator.host) for name, value in self._jar.items())

    def set_cookies(self, jar: JarKey, cookies: Iterable[Cookie]) -> None:
        """Put cookies into the one jar."""
        del jar
        self._jar.update({cookie.name: cookie.value for cookie in cookies})

    def forget_cookies(self, jar: JarKey) -> None:
        """Empty the jar."""
        del jar
        self._jar.clear()

    def authorise(self, jar: JarKey, origin: str, scheme: str, login: Login | None) -> None:
        """No simulated site asks for it."""
        del jar, origin, scheme, login

    async def close_host(self, host: str) -> None:
        """Nothing is kept open."""

    async def aclose(self) -> None:
        """Nothing is kept open."""


def _sets_cookie(answer: SimResponse) -> bool:
    return any(name == "Set-Cookie" for name, _ in answer.headers)


def _response(
    url: str, answer: SimResponse, hops: list[Hop], *, next_url: str = "", stopped: str = ""
) -> Response:
    return Response(
        url=url,
        status=answer.status,
        headers=Headers((n.encode("latin-1"), v.encode("latin-1")) for n, v in answer.headers),
        body=answer.body,
        redirects=tuple(hops),
        encoded_size=len(answer.body),
        next_url=next_url,
        stopped=stopped,
    )
