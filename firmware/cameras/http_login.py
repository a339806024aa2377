"""Answers to a camera that asks for a password: Basic (RFC 7617) and Digest (RFC 7616)."""

import base64
import hashlib
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from firmware.cameras.network_address import Login

_HASHES: Final[dict[str, Callable[[bytes], str]]] = {
    "SHA-256": lambda data: hashlib.sha256(data).hexdigest(),
    "MD5": lambda data: hashlib.md5(data, usedforsecurity=False).hexdigest(),
}
"""Hashes of Digest, the best first."""

_SCHEME: Final = re.compile(r"(?:^|,)\s*([A-Za-z][\w-]*)(?:\s+(?=[\w-]+\s*=)|\s*$)")
"""Begin of a challenge; one header may contain several."""

_PARAMETER: Final = re.compile(r'([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))')
"""Name and value of a parameter of a challenge, quoted or not."""


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
        asked = self.parameters
        algorithm = asked.get("algorithm", "MD5").upper()
        hashed = _HASHES[algorithm]
        realm, nonce = asked.get("realm", ""), asked.get("nonce", "")
        secret = hashed(f"{login.user}:{realm}:{login.password}".encode())
        request = hashed(f"GET:{target}".encode())
        fields = {"username": login.user, "realm": realm, "nonce": nonce, "uri": target}
        plain = {"algorithm": algorithm}
        if "qop" in asked:
            count = f"{self.count:08x}"
            text = f"{secret}:{nonce}:{count}:{cnonce}:auth:{request}"
            fields["cnonce"] = cnonce
            plain |= {"qop": "auth", "nc": count}
        else:
            text = f"{secret}:{nonce}:{request}"
        fields["response"] = hashed(text.encode())
        if "opaque" in asked:
            fields["opaque"] = asked["opaque"]
        quoted = [f'{name}="{_escaped(value)}"' for name, value in fields.items()]
        return "Digest " + ", ".join(quoted + [f"{name}={value}" for name, value in plain.items()])


def best_challenge(headers: Iterable[str]) -> Challenge | None:
    """The safest challenge that can be answered: Digest with SHA-256, with MD5, or Basic.

    Args:
        headers: values of the headers WWW-Authenticate.
    """
    offered = [challenge for header in headers for challenge in _challenges(header)]
    order = [("digest", name) for name in _HASHES] + [("basic", "")]
    ranked = [(order.index(kind), one) for one in offered if (kind := _kind(one)) in order]
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


def _challenges(header: str) -> list[Challenge]:
    found = list(_SCHEME.finditer(header))
    ends = [*(match.start() for match in found[1:]), len(header)]
    return [
        Challenge(
            match[1].lower(),
            {
                name.lower(): re.sub(r"\\(.)", r"\1", quoted) or plain
                for name, quoted, plain in _PARAMETER.findall(header[match.end() : end])
            },
        )
        for match, end in zip(found, ends, strict=False)
    ]


def _kind(challenge: Challenge) -> tuple[str, str]:
    """Scheme and hash; the hash "auth-int" stands for a Digest that also covers bodies."""
    if challenge.scheme != "digest":
        return challenge.scheme, ""
    ways = {way.strip().lower() for way in challenge.parameters.get("qop", "auth").split(",")}
    algorithm = challenge.parameters.get("algorithm", "MD5").upper()
    return "digest", algorithm if "auth" in ways else "auth-int"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
