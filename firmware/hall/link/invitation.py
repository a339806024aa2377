"""The invitation of a table to a hall: an address that a person types, or holds under a camera.

    cornerlight://192.168.1.5:8883/spring-open/07?ca=<fingerprint>&secret=<secret>&name=Spring%20open

The table trusts the authority of that fingerprint alone, and has the secret as its password.
"""

import base64
import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from firmware.errors import CornerlightError
from firmware.hall.link.topics import HallTopics, is_hall_id, table_number
from web.contract import fingerprint, is_fingerprint

SCHEME: Final = "cornerlight"
"""Beginning of an invitation, by which a QR code under the camera is known as one."""

LONGEST_URI: Final = 600
"""Characters of an address at most; a QR code with more squares is hard to read."""

_SECRET: Final = re.compile(r"[\x21-\x7e]{8,100}")
"""Password of a table: visible ASCII, no space. The 8 to 100 are chosen; a hall's have 22."""

_HOST: Final = re.compile(r"[0-9A-Za-z.:_-]{1,253}")
"""Name or IP address of a machine; a name of DNS has 253 characters at most."""

_HIGHEST_PORT: Final = 65535
"""Highest port of TCP, which has 16 bits."""


class InvitationError(CornerlightError, ValueError):
    """An address that is no invitation to a hall; one sentence."""


@dataclass(frozen=True, slots=True)
class HallInvitation:
    """All that a table needs to join a hall.

    Attributes:
        host: name or address of the hall's machine.
        port: port of its broker.
        hall: id of the hall.
        table: number of the table as text, for example `07`; its user name at the broker.
        secret: password of the table.
        fingerprint: SHA-256 of the certificate of the hall's authority, 64 hexadecimal digits.
        name: name of the hall for people; may be empty.

    Raises:
        InvitationError: a part has another form.
    """

    host: str
    port: int
    hall: str
    table: str
    secret: str = field(repr=False)
    fingerprint: str
    name: str = ""

    def __post_init__(self) -> None:
        _require(_HOST.fullmatch(self.host) is not None, "its host is no name or address")
        _require(1 <= self.port <= _HIGHEST_PORT, f"its port is not from 1 to {_HIGHEST_PORT}")
        _require(is_hall_id(self.hall), "its hall is not of a-z, 0-9 and -")
        try:
            table_number(self.table)
        except ValueError as error:
            raise InvitationError(_sentence(str(error))) from None
        _require(_SECRET.fullmatch(self.secret) is not None, "its secret is missing or damaged")
        _require(is_fingerprint(self.fingerprint), "its fingerprint is missing or damaged")
        _require(self.name.isprintable() and len(self.name) <= 60, "its name is too long")

    @property
    def topics(self) -> HallTopics:
        """The topics of the hall."""
        return HallTopics(self.hall)

    @property
    def tag(self) -> str:
        """Identifier of the invitation, which does not tell its secret."""
        return fingerprint(self.uri)[:16]

    @property
    def uri(self) -> str:
        """The invitation as an address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        digest = base64.urlsafe_b64encode(bytes.fromhex(self.fingerprint)).decode().rstrip("=")
        asked = {"ca": digest, "secret": self.secret}
        if self.name:
            asked["name"] = self.name
        words = urlencode(asked, quote_via=quote)
        return f"{SCHEME}://{host}:{self.port}/{self.hall}/{self.table}?{words}"

    @staticmethod
    def parse(uri: str) -> "HallInvitation":
        """Returns the invitation of an address.

        Raises:
            InvitationError: the address is none.
        """
        uri = uri.strip()
        _require(len(uri) <= LONGEST_URI, "it is too long")
        _require(uri.lower().startswith(f"{SCHEME}://"), f"it does not begin with {SCHEME}://")
        try:
            parts = urlsplit(uri)
            host, port = parts.hostname or "", parts.port or 0
        except ValueError:
            raise InvitationError(_sentence("its host or port is damaged")) from None
        path = parts.path.strip("/").split("/")
        _require(len(path) == 2, "it has no hall and table")
        asked = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        hall, table = path
        return HallInvitation(
            host,
            port,
            hall,
            table,
            asked.get("secret", ""),
            _fingerprint(asked.get("ca", "")),
            asked.get("name", ""),
        )


def _fingerprint(text: str) -> str:
    """Returns a fingerprint in hexadecimal digits; empty if the text is none."""
    if is_fingerprint(text.lower()):
        return text.lower()
    try:
        return base64.b64decode(f"{text}=", b"-_", validate=True).hex()
    except ValueError:
        return ""


def _require(holds: bool, cause: str) -> None:  # noqa: FBT001 - reads as an assertion
    if not holds:
        raise InvitationError(_sentence(cause))


def _sentence(cause: str) -> str:
    return (
        f"this is no invitation to a hall: {cause}; take the address, or the QR code, from the "
        "organiser's page of the table"
    )
