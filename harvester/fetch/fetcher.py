"""The fetcher: chains of exchanges with their redirects, cookies, referers and deadline."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from time import perf_counter

import httpx

from harvester import __version__
from harvester.access.secrets import Login
from harvester.errors import Refused, TimedOut, TooManyRedirects
from harvester.fetch.authorisation import Authorisation
from harvester.fetch.client import Answer
from harvester.fetch.cookies import CookieJar
from harvester.fetch.deadline import Deadline
from harvester.fetch.dns import DnsCache, Lookup, SystemLookup
from harvester.fetch.exchange import Archive, Exchange
from harvester.fetch.guard import Guard
from harvester.fetch.place import Origin, split_url
from harvester.fetch.pool import ClientPool, TransportFactory
from harvester.fetch.redact import quiet_libraries
from harvester.fetch.redirects import is_redirect, next_request, referer_for, resolve_location
from harvester.fetch.robots import fetch_robots
from harvester.fetch.transport import AiohttpTransport
from harvester.model.http import (
    OFFSITE,
    SECRET,
    Cookie,
    FetchLimits,
    Hop,
    JarKey,
    Request,
    Response,
    RobotsAnswer,
)
from harvester.ports.fetch import DEFAULT_LIMITS, Vet

_DEFAULTS = (
    ("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,application/x-bittorrent,*/*;q=0.8"),
    ("Accept-Encoding", "gzip, deflate, br, zstd"),
    ("Accept-Language", "en,zh;q=0.9,*;q=0.5"),
)


def user_agent(contact: str) -> str:
    """The one honest name: product, version, and where to reach who runs it ("" only for loopback)."""
    return f"harvest/{__version__} (+{contact})" if contact else f"harvest/{__version__}"


class HttpFetcher:
    """`harvester.ports.fetch.Fetcher` over HTTP. Belongs to one event loop; `aclose` ends it.

    `allowed` are the (host, port) of configured sites, which may be on private addresses; `proxies` maps a
    site's name (`JarKey.site`) to its proxy URL. `transport` replaces the transport, `lookup` the resolver,
    `ssl_context` the trusted certificates, `clock` the wall clock (UTC seconds). Every exchange also
    goes into `archive`, which is closed by whoever opened it.
    """

    def __init__(
        self,
        *,
        contact: str = "",
        allowed: frozenset[tuple[str, int]] = frozenset(),
        proxies: Mapping[str, str] | None = None,
        lookup: Lookup | None = None,
        ssl_context: Callable[[], ssl.SSLContext] = httpx.create_ssl_context,
        transport: TransportFactory | None = None,
        idle: float = 60.0,
        clock: Callable[[], float] = time.time,
        archive: Archive | None = None,
    ) -> None:
        quiet_libraries()
        self._system_lookup = SystemLookup() if lookup is None else None
        self._dns = DnsCache(lookup or self._system_lookup)  # type: ignore[arg-type]  # one of the two is there
        self._guard = Guard(allowed)
        self._ssl_context = cache(ssl_context)
        self._pool = ClientPool(transport or self._own_transport, idle=idle)
        self._proxies = dict(proxies or {})
        self._jars: dict[JarKey, CookieJar] = {}
        self._authorised: dict[JarKey, dict[str, Authorisation]] = {}
        self._clock = clock
        self._archive = archive
        self._base = [
            (name.encode("ascii"), value.encode("latin-1"))
            for name, value in (("User-Agent", user_agent(contact)), *_DEFAULTS)
        ]
        self._base_names = {name.lower() for name, _ in self._base}

    async def fetch(
        self,
        request: Request,
        *,
        vet: Vet | None = None,
        limits: FetchLimits = DEFAULT_LIMITS,
        jar: JarKey | None = None,
    ) -> Response:
        """See the port."""
        chain = _Chain(request, vet, self._jar(jar), bool(jar and jar.account))
        if jar is not None and jar in self._authorised:
            chain.authorised = self._authorised[jar]
        return await self._within_deadline(chain, limits, self._proxies.get(jar.site, "") if jar else "")

    async def robots(self, origin: str, *, jar: JarKey | None = None) -> RobotsAnswer:
        """See the port."""
        proxy = self._proxies.get(jar.site, "") if jar else ""

        async def send(request: Request, limits: FetchLimits) -> Response:
            chain = _Chain(request, lambda _: None, CookieJar(), logged_in=False, cut=True)
            return await self._within_deadline(chain, limits, proxy)

        return await fetch_robots(origin, send)

    def cookies(self, jar: JarKey) -> tuple[Cookie, ...]:
        """See the port."""
        return self._jar(jar).cookies(self._clock())

    def set_cookies(self, jar: JarKey, cookies: Iterable[Cookie]) -> None:
        """See the port."""
        kept = self._jar(jar)
        for cookie in cookies:
            kept.put(cookie)

    def forget_cookies(self, jar: JarKey) -> None:
        """See the port."""
        self._jar(jar).clear()

    def authorise(self, jar: JarKey, origin: str, scheme: str, login: Login | None) -> None:
        """See the port."""
        given, place = self._authorised.setdefault(jar, {}), str(split_url(origin)[0])
        if login is None:
            given.pop(place, None)
        else:
            given[place] = Authorisation(scheme, login)

    async def close_host(self, host: str) -> None:
        """See the port."""
        await self._pool.close_host(host)

    async def aclose(self) -> None:
        """See the port."""
        await self._pool.aclose()
        await self._dns.aclose()
        if self._system_lookup is not None:
            self._system_lookup.close()

    def _own_transport(self, proxy: str) -> httpx.AsyncBaseTransport:
        return AiohttpTransport(guard=self._guard, dns=self._dns, ssl_context=self._ssl_context, proxy=proxy)

    def _jar(self, key: JarKey | None) -> CookieJar:
        """The jar of a site and account; without a key one that lives for this chain only."""
        return CookieJar() if key is None else self._jars.setdefault(key, CookieJar())

    async def _within_deadline(self, chain: _Chain, limits: FetchLimits, proxy: str) -> Response:
        try:
            with Deadline(limits.total):
                return await self._follow(chain, limits, proxy)
        except TimeoutError:
            raise TimedOut(chain.request.url, f"not done within {limits.total:g} s") from None

    async def _follow(self, chain: _Chain, limits: FetchLimits, proxy: str) -> Response:
        while True:
            origin, target = split_url(chain.request.url)
            answer = await self._authorised_exchange(chain, origin, target, limits, proxy)
            fields = answer.fields
            cookies = fields.set_cookies
            changed = bool(cookies) and chain.jar.store(origin, target, cookies, self._clock())
            location = fields.location
            if location is None or not is_redirect(answer.status, location):
                return chain.response(answer)
            stopped = chain.advance(answer, origin, location, changed, limits)
            if stopped is not None:
                return stopped

    async def _authorised_exchange(
        self, chain: _Chain, origin: Origin, target: str, limits: FetchLimits, proxy: str
    ) -> Answer:
        """One exchange; a second one where a digest's nonce was used up."""
        given = chain.authorised.get(str(origin))
        if given is None:
            return await self._exchange(chain, origin, target, limits, proxy)
        attempts = given.begin(chain.request.method, origin, target)
        answer = await self._exchange(chain, origin, target, limits, proxy, attempts.header)
        while attempts.again(answer):
            answer = await self._exchange(chain, origin, target, limits, proxy, attempts.header)
        return answer

    async def _exchange(
        self,
        chain: _Chain,
        origin: Origin,
        target: str,
        limits: FetchLimits,
        proxy: str,
        authorization: str = "",
    ) -> Answer:
        request = chain.request
        client = self._pool.client(origin, proxy)
        headers = self._headers(chain, origin, target)
        if authorization:
            headers.append((b"Authorization", _wire(authorization)))
        client.busy += 1
        try:
            answer = await client.exchange(
                request.url,
                target,
                request.method,
                headers,
                request.body,
                limits,
                cut=chain.cut,
                keep=self._archive is not None,
            )
            if self._archive is not None:
                self._keep(request, target, [(b"Host", origin.netloc.encode("ascii")), *headers], answer)
            return answer
        finally:
            client.busy -= 1
            client.last_used = asyncio.get_running_loop().time()

    def _keep(
        self, request: Request, target: str, headers: list[tuple[bytes, bytes]], answer: Answer
    ) -> None:
        assert self._archive is not None
        self._archive.add(
            Exchange(
                url=request.url.partition("#")[0],
                target=target,
                method=request.method,
                request_headers=headers,
                request_body=request.body or b"",
                status=answer.status,
                headers=answer.headers.raw,
                wire=answer.wire,
                peer=answer.peer,
                at=self._clock(),
                secret=request.secret,
            )
        )

    def _headers(self, chain: _Chain, origin: Origin, target: str) -> list[tuple[bytes, bytes]]:
        request = chain.request
        if not request.headers:
            headers = list(self._base)
            names: set[bytes] = set()
        else:
            own = [(_wire(name), _wire(value)) for name, value in request.headers]
            names = {name.lower() for name, _ in own}
            headers = [field for field in self._base if field[0].lower() not in names]
            headers.extend(own)
        if request.referer and b"referer" not in names:
            referer = referer_for(request.referer, origin)
            if referer:
                headers.append((b"Referer", referer.encode("ascii")))
        if b"cookie" not in names:
            cookie = chain.jar.header(origin, target, self._clock())
            if cookie:
                headers.append((b"Cookie", _wire(cookie)))
        return headers


def _wire(text: str) -> bytes:
    """Header text as bytes: latin-1, as it came in, or UTF-8 for what the caller wrote beyond it."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


class _Chain:
    """One fetch on its way through its redirects."""

    def __init__(
        self, request: Request, vet: Vet | None, jar: CookieJar, logged_in: bool, *, cut: bool = False
    ) -> None:
        self.request = request
        self.jar = jar
        self.cut = cut
        self.authorised: Mapping[str, Authorisation] = {}
        """Credentials by the origin that they are for."""
        self._vet = vet
        self._logged_in = logged_in
        self._hops: list[Hop] = []
        self._cookies_set = 0
        self._visits = {request.url.partition("#")[0]: (1, 0)}
        """How often the chain came to a URL, and how many hops had set cookies when it last did."""
        self._started = perf_counter()

    def response(self, answer: Answer, *, next_url: str = "", stopped: str = "") -> Response:
        return Response(
            url=self.request.url,
            status=answer.status,
            headers=answer.headers,
            body=answer.body,
            redirects=tuple(self._hops),
            elapsed=perf_counter() - self._started,
            latency=answer.latency,
            from_ip=answer.peer,
            encoded_size=answer.encoded_size,
            next_url=next_url,
            stopped=stopped,
        )

    def advance(
        self, answer: Answer, origin: Origin, location: bytes, cookie_set: bool, limits: FetchLimits
    ) -> Response | None:
        """Make the redirect's target the next request, or return the answer because it is not followed."""
        url = self.request.url
        target = resolve_location(url, location)
        if self.request.secret:
            return self.response(answer, next_url=target, stopped=SECRET)
        next_origin, _ = split_url(target)
        reason = self._objection(target, origin, next_origin)
        if reason == OFFSITE:
            return self.response(answer, next_url=target, stopped=OFFSITE)
        if reason is not None:
            raise Refused(target, reason, f"redirect from {url} not followed: {reason}")
        if self._logged_in and origin.scheme == "https" and next_origin.scheme == "http":
            raise Refused(target, "downgrade", "an account's request is redirected from https to http")
        self._cookies_set += cookie_set
        visits, cookies_then = self._visits.get(target, (0, 0))
        if visits > 1 or (visits == 1 and self._cookies_set == cookies_then):
            raise TooManyRedirects(target, "the redirects go round in a loop")
        if len(self._hops) >= limits.redirects:
            raise TooManyRedirects(target, f"more than {limits.redirects} redirects")
        self._visits[target] = (visits + 1, self._cookies_set)
        self._hops.append(Hop(url, answer.status, target))
        self.request = next_request(self.request, answer.status, origin, target)
        return None

    def _objection(self, target: str, origin: Origin, next_origin: Origin) -> str | None:
        if self._vet is not None:
            return self._vet(target)
        same_host = origin.host == next_origin.host
        return (
            None
            if same_host and (origin.port == next_origin.port or next_origin.port in (80, 443))
            else OFFSITE
        )
