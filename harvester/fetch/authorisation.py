"""HTTP authentication: the Authorization header of each request to an origin (RFC 7617, RFC 7616).

A password that is refused goes out no more. RFC 7616, 3.3 lets a server say `stale=true` where only the
nonce is used up; many say nothing, so what was good a moment ago is sent once more under the new nonce.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator

import httpx

from harvester.access.secrets import Login
from harvester.fetch.client import Answer
from harvester.fetch.place import Origin

Schemes = dict[str, Callable[[bytes, bytes], httpx.Auth]]
_SCHEMES: Schemes = {"basic": httpx.BasicAuth, "digest": httpx.DigestAuth}
_STALE = re.compile(r'(?:^|[\s,])stale\s?=\s?"?(true|false)', re.IGNORECASE)


class Authorisation:
    """The credentials for one origin; httpx's own schemes make the header, nothing else of httpx is used."""

    def __init__(self, scheme: str, login: Login) -> None:
        user, password = login.user.reveal().encode(), login.password.reveal().encode()
        self._auth = _SCHEMES[scheme](user, password)
        self._good = False
        """Whether an answer showed that the server took them."""
        self._tells_stale = False
        self._refused = False

    def begin(self, method: str, origin: Origin, target: str) -> Attempts:
        """The attempts at one request; they carry nothing once the credentials were refused."""
        url = httpx.URL(str(origin)).copy_with(raw_path=target.encode("ascii"))
        return Attempts(self, None if self._refused else self._auth.auth_flow(httpx.Request(method, url)))

    def took(self) -> None:
        """The server took them."""
        self._good = True

    def is_refusal(self, challenges: str) -> bool:
        """Whether a 401 to a request that carried them refuses them, not its nonce alone.

        Credentials that were good before may be refused for one page alone, so they go out once more, with
        the next request. A refusal of those that were never good, or a second one in a row, is the last word.
        """
        stale = _STALE.search(challenges)
        if stale is not None and stale[1].lower() == "true":
            self._tells_stale = True
            return False
        was_good, self._good = self._good, False
        if was_good:
            return stale is not None or self._tells_stale
        self._refused = True
        return True


class Attempts:
    """One request, sent once, or twice where a digest's nonce was used up."""

    def __init__(
        self, owner: Authorisation, flow: Generator[httpx.Request, httpx.Response, None] | None
    ) -> None:
        self._owner = owner
        self._flow = flow
        self._request = next(flow) if flow is not None else None
        self.header = str(self._request.headers.get("Authorization", "")) if self._request is not None else ""
        """What to send, "" for nothing."""

    def again(self, answer: Answer) -> bool:
        """Whether the request is to be sent once more, with another `header`; to be asked of each answer."""
        if self._flow is None or self._request is None:
            return False
        if answer.status != 401:
            if self.header and answer.status < 400:
                self._owner.took()
            return False
        headers = [(name, value) for name, value in answer.headers.raw if name.lower() == b"www-authenticate"]
        told = " ".join(value.decode("latin-1") for _, value in headers)
        if self.header and self._owner.is_refusal(told):
            return False
        try:
            request = self._flow.send(httpx.Response(401, headers=headers, request=self._request))
        except (StopIteration, httpx.ProtocolError):
            return False
        before, self.header = self.header, str(request.headers.get("Authorization", ""))
        return self.header != before
