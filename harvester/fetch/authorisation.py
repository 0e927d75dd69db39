"""HTTP authentication: the Authorization header of each request to an origin (RFC 7617, RFC 7616)."""

from __future__ import annotations

from collections.abc import Callable, Generator

import httpx

from harvester.access.secrets import Login
from harvester.fetch.client import Answer
from harvester.fetch.place import Origin

Schemes = dict[str, Callable[[bytes, bytes], httpx.Auth]]
_SCHEMES: Schemes = {"basic": httpx.BasicAuth, "digest": httpx.DigestAuth}


class Authorisation:
    """The credentials for one origin; httpx's own schemes make the header, nothing else of httpx is used."""

    def __init__(self, scheme: str, login: Login) -> None:
        user, password = login.user.reveal().encode(), login.password.reveal().encode()
        self._auth = _SCHEMES[scheme](user, password)

    def begin(self, method: str, origin: Origin, target: str) -> Attempts:
        """The attempts at one request."""
        url = httpx.URL(str(origin)).copy_with(raw_path=target.encode("ascii"))
        return Attempts(self._auth.auth_flow(httpx.Request(method, url)))


class Attempts:
    """One request, sent once, or twice where a digest's nonce was used up."""

    def __init__(self, flow: Generator[httpx.Request, httpx.Response, None]) -> None:
        self._flow = flow
        self._request = next(flow)
        self.header = str(self._request.headers.get("Authorization", ""))
        """What to send, "" for nothing."""

    def again(self, answer: Answer) -> bool:
        """Whether the request is to be sent once more, with another `header`."""
        if answer.status != 401:
            return False
        headers = [(name, value) for name, value in answer.headers.raw if name.lower() == b"www-authenticate"]
        try:
            request = self._flow.send(httpx.Response(401, headers=headers, request=self._request))
        except (StopIteration, httpx.ProtocolError):
            return False
        before, self.header = self.header, str(request.headers.get("Authorization", ""))
        return self.header != before
