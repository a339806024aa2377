"""Answers to a camera that asks for a password: Basic (RFC 7617) and Digest (RFC 7616)."""

import base64
import hashlib
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final
from urllib.request import parse_http_list

from firmware.cameras.network_address import Login

_HASHES: Final[dict[str, Callable[[bytes], str]]] = {
    "SHA-256": lambda data: hashlib.sha256(data).hexdigest(),
    "MD5": lambda data: hashlib.md5(data, usedforsecurity=False).hexdigest(),
}
"""Hashes of Digest, the best first. The handler of urllib knows no SHA-256 before Python 3.14."""

_ORDER: Final = (*(("digest", name) for name in _HASHES), ("basic", ""))
"""Challenges that can be answered, the safest first."""

_LONGEST: Final = 4096
"""Letters of all challenges of an answer together; cameras write some hundred."""


@dataclass(slots=True)
class Challenge:
    """The way in which a camera asks for a password, and the requests that were answered to it.

    Attributes:
        scheme: "basic" or "digest".
        parameters: of the challenge, by names in lower case.
        count: number of requests so far.
    """

    scheme: str
    parameters: dict[str, str] = field(repr=False)
    count: int = 0

    @property
    def is_stale(self) -> bool:
        """True if the camera knows the password and only wants a new number with it."""
        return self.parameters.get("stale", "").lower() == "true"

    @property
    def kind(self) -> tuple[str, str]:
        """Scheme and hash; the hash "auth-int" stands for a Digest that also covers bodies."""
        if self.scheme != "digest":
            return self.scheme, ""
        ways = re.split(r"[,\s]+", (self.parameters.get("qop") or "auth").strip().lower())
        return "digest", self._algorithm if "auth" in ways else "auth-int"

    @property
    def _algorithm(self) -> str:
        return self.parameters.get("algorithm", "MD5").upper()

    def header(self, login: Login, target: str) -> str:
        """The value of the header Authorization for the next GET.

        Args:
            login: user and password.
            target: path and query of the request.
        """
        if self.scheme == "basic":
            pair = f"{login.user}:{login.password}".encode()
            return "Basic " + base64.b64encode(pair).decode()
        self.count += 1
        return self._digest(login, target, secrets.token_hex(8))

    def _digest(self, login: Login, target: str, cnonce: str) -> str:
        def hashed(*parts: str) -> str:
            return _HASHES[self._algorithm](":".join(parts).encode())

        asked = self.parameters
        realm, nonce, count = asked.get("realm", ""), asked.get("nonce", ""), f"{self.count:08x}"
        fields = {"username": login.user, "realm": realm, "nonce": nonce, "uri": target}
        plain = {"algorithm": self._algorithm}
        middle = [nonce]
        if asked.get("qop"):
            middle += [count, cnonce, "auth"]
            fields["cnonce"] = cnonce
            plain |= {"qop": "auth", "nc": count}
        secret = hashed(login.user, realm, login.password)
        fields["response"] = hashed(secret, *middle, hashed("GET", target))
        if "opaque" in asked:
            fields["opaque"] = asked["opaque"]
        quoted = [re.sub(r'(["\\])', r"\\\1", value) for value in fields.values()]
        texts = [f'{name}="{value}"' for name, value in zip(fields, quoted, strict=True)]
        return "Digest " + ", ".join(texts + [f"{name}={value}" for name, value in plain.items()])


def best_challenge(headers: Iterable[str]) -> Challenge | None:
    """The safest challenge that can be answered: Digest with SHA-256, with MD5, or Basic.

    Args:
        headers: values of the headers WWW-Authenticate; of very long ones only the begin counts.
    """
    offered: list[Challenge] = []
    text = re.sub(r"\s+", " ", ", ".join(headers)[:_LONGEST])
    for item in parse_http_list(text):
        before, is_parameter, value = item.partition("=")
        words = before.split()
        if len(words) > 1 or (words and not is_parameter):
            offered.append(Challenge(words[0].lower(), {}))
        if is_parameter and words and offered:
            plain = value.strip().removeprefix('"').removesuffix('"')
            offered[-1].parameters[words[-1].lower()] = plain
    known = [challenge for challenge in offered if challenge.kind in _ORDER]
    return min(known, key=lambda challenge: _ORDER.index(challenge.kind), default=None)
