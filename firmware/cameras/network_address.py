"""Addresses of cameras in a network; users and passwords are kept out of every text."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urljoin, urlsplit

from firmware.cameras.interfaces import CameraError
from firmware.codes import CameraFault
from firmware.errors import without_passwords

_PORTS: Final = {"http": 80, "https": 443, "rtsp": 554}
"""Port of an address that names none, by scheme."""

_UNQUOTED: Final = "/%:=&?~+!$,;'()*[]@|"
"""Characters of a path or query that are sent as they are."""

_HOST: Final = re.compile(r"[!-~]+")
"""A host: it has no spaces and no control characters."""

_BARE: Final = re.compile(
    r"(?P<login>[^/\s]*@)?(?P<host>\[[0-9a-f:.]+\]|[\w-]+(\.[\w-]+)*)(?P<port>:\d{1,5})?([/?].*)?",
    re.IGNORECASE,
)
"""An address without its scheme: user and password, host, port, path."""

_OF_A_HOST: Final = re.compile(
    r"\[.*\]|\d+(\.\d+){3}|localhost|.*\.(local|lan|home|box|internal)", re.IGNORECASE
)
"""A host that is no name of a file."""

_NO_ADDRESS: Final = (
    "this is no address of a camera in the network; write it like http://192.168.1.20:8080/video"
)
"""Message for text that is not a host with a scheme that is asked for, and perhaps a port."""

_ODD_SIGN: Final = (
    "the address of the camera has a / ? or # in its password, or an @ behind the host; "
    "write / as %2F, ? as %3F, # as %23 and @ as %40"
)
"""Message for an @ behind the host, as a password with / ? or # leaves it there."""


@dataclass(frozen=True, slots=True)
class Login:
    """A user and a password. Neither is in its repr.

    Attributes:
        user: name of the user.
        password: password of the user.
    """

    user: str = field(repr=False)
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class NetworkAddress:
    """An address of http, https or rtsp, in its parts.

    Attributes:
        scheme: "http", "https" or "rtsp".
        host: name or IP address of the device, ASCII, without brackets.
        port: number of the port.
        target: path and query as they are sent; they may contain a password.
        login: user and password; None if the address has none.
    """

    scheme: str
    host: str
    port: int
    target: str = field(repr=False)
    login: Login | None = field(default=None, repr=False)

    @property
    def host_and_port(self) -> str:
        """Host and port as in an address; the usual port is left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def name(self) -> str:
        """The address without user and password; a query, which may contain them, is "?..."."""
        return without_passwords(f"{self.scheme}://{self.host_and_port}{self.target}")

    @property
    def url(self) -> str:
        """The whole address with user and password, for the connection alone."""
        login = ""
        if self.login is not None:
            login = f"{quote(self.login.user, '')}:{quote(self.login.password, '')}@"
        return f"{self.scheme}://{login}{self.host_and_port}{self.target}"

    @property
    def front_page(self) -> str:
        """The address of the web page that most cameras have."""
        return f"{self.scheme}://{self.host_and_port}/"

    def same_device(self, other: "NetworkAddress") -> bool:
        """True if a connection to one address serves the other."""
        return (self.scheme, self.host, self.port) == (other.scheme, other.host, other.port)

    def redirected(self, location: str) -> "NetworkAddress | CameraError":
        """The address that a redirection leads to.

        The login goes along to the same host only, and never from https to http.

        Args:
            location: the header of the redirection, absolute or relative.
        """
        try:
            found = parse_address(urljoin(f"{self.front_page[:-1]}{self.target}", location))
        except ValueError:
            return _unusable(_NO_ADDRESS)
        if isinstance(found, CameraError) or found.login:
            return found
        trusted = found.host == self.host and (self.scheme, found.scheme) != ("https", "http")
        login = self.login if trusted else None
        return NetworkAddress(found.scheme, found.host, found.port, found.target, login)


def with_scheme(source: str) -> str:
    """The source with http:// before it if it is an address in the network without its scheme.

    Apps of phones show addresses so. A file or a folder of that name comes first.
    """
    bare = _BARE.fullmatch(source)
    is_address = bare and (bare["login"] or bare["port"] or _OF_A_HOST.fullmatch(bare["host"]))
    return f"http://{source}" if is_address and not Path(source).exists() else source


def is_in_network(source: str) -> bool:
    """True for the address of a camera in a network, with its scheme or without."""
    return "://" in with_scheme(source)


def parse_address(
    url: str, schemes: tuple[str, ...] = ("http", "https")
) -> NetworkAddress | CameraError:
    """Splits an address; returns the error, so that no traceback contains the address.

    Args:
        url: address as a person writes it, with or without user:password@.
        schemes: schemes that it may have.
    """
    try:
        parts = urlsplit(url.strip().encode(errors="replace").decode())
    except ValueError:
        return _unusable(_NO_ADDRESS)
    if "@" in parts.path + parts.query + parts.fragment:
        return _unusable(_ODD_SIGN)
    try:
        port, host = parts.port, (parts.hostname or "").encode("idna").decode()
    except ValueError:
        return _unusable(_NO_ADDRESS)
    login = _login(parts.username, parts.password)
    if parts.scheme not in schemes or not _HOST.fullmatch(host) or _unprintable(login):
        return _unusable(_NO_ADDRESS)
    target = quote(parts.path or "/", _UNQUOTED) + ("?" + quote(parts.query, _UNQUOTED)) * (
        parts.query != ""
    )
    return NetworkAddress(parts.scheme, host, port or _PORTS[parts.scheme], target, login)


def _login(user: str | None, password: str | None) -> Login | None:
    return None if user is None else Login(unquote(user), unquote(password or ""))


def _unprintable(login: Login | None) -> bool:
    """True if a header with the login would not be one line."""
    return login is not None and re.search(r"[\x00-\x1f\x7f]", login.user) is not None


def _unusable(sentence: str) -> CameraError:
    return CameraError(CameraFault.UNREACHABLE, sentence)
