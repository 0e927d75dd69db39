"""Secrets that no log line, traceback or database gets to see."""

from __future__ import annotations

import hashlib
import hmac

from msgspec import Struct

from harvester.model.redact import MASK


class Secret:
    """A text that shows as `***` wherever it is printed, formatted, compared in a failing test or pickled.

    `reveal` is called in one place only: where the body of a request is encoded.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._text.encode(), other._text.encode())

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a secret is not pickled")


class Login(Struct, frozen=True):
    """The operator's user name and password for one site."""

    user: Secret
    password: Secret

    def mark(self, salt: str) -> str:
        """Which secrets these are, for whoever knows the salt: other secrets have another mark."""
        text = f"{self.user.reveal()}\0{self.password.reveal()}".encode("utf-8", "surrogatepass")
        return hmac.new(salt.encode(), text, hashlib.sha256).hexdigest()[:32]
