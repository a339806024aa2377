"""The port of the score page, and the addresses at which phones open it in the local network."""

import errno
import fcntl
import ipaddress
import os
import socket
import struct
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.errors import CornerlightError
from web.listening import listen_at

_GET_ADDRESS: Final = 0x8915 if sys.platform == "linux" else 0xC0206921
"""SIOCGIFADDR: asks for the IPv4 address of an interface, netdevice(7)."""

_GET_FLAGS: Final = 0x8913 if sys.platform == "linux" else 0xC0206911
"""SIOCGIFFLAGS: asks for the flags of an interface."""

_TUNNEL: Final = 0x10
"""IFF_POINTOPOINT: the flag of an interface with one peer, as a VPN has."""

_REQUEST: Final = "16sH22s"
"""Layout of `struct ifreq`: the name, the flags, padding. An address begins at byte 20."""

_ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation (RFC 5737, RFC 3849): the route to them is the default route."""

_DEVICES: Final = Path("/sys/class/net")
"""Folder in which Linux lists interfaces; those of hardware have an entry `device`."""

_FREED_S: Final = 1.5
"""Seconds to wait for a port in use: the page of a table that was killed listens for up to 0.5 s
longer."""

_RETRY_S: Final = 0.1
"""Seconds between two attempts to listen on a port in use."""


@dataclass(frozen=True, slots=True)
class NetworkInterface:
    """A network interface with an IPv4 address.

    Attributes:
        address: its address.
        is_hardware: False for a bridge of containers or virtual machines.
        is_tunnel: True for one with a single peer, as a VPN has.
    """

    address: str
    is_hardware: bool = True
    is_tunnel: bool = False


def own_addresses() -> tuple[str, ...]:
    """Returns the IPv4 addresses of this machine that phones can reach, the best one first."""
    return reachable(_interfaces(), _source_of_route(socket.AF_INET))


def reachable(interfaces: Iterable[NetworkInterface], default: str) -> tuple[str, ...]:
    """Returns the addresses that phones in the local network can reach, the best one first.

    Args:
        interfaces: interfaces of this machine.
        default: address of the interface of the default route; empty if there is none.
    """
    candidates = [
        one
        for one in interfaces
        if not (one.is_tunnel or ipaddress.ip_address(one.address).is_loopback)
    ]
    chosen = [one for one in candidates if one.is_hardware or one.address == default]
    addresses = dict.fromkeys(one.address for one in chosen or candidates)
    return tuple(sorted(addresses, key=lambda one: (one != default, _is_makeshift(one))))


def page_urls(host: str, port: int) -> tuple[str, ...]:
    """Returns the addresses of the page for phones, the best one first; none if there is none.

    Args:
        host: address or name on which the page listens, as of `page.host`.
        port: port of the page.
    """
    if host == "0.0.0.0":  # noqa: S104, a comparison
        names = own_addresses()
    elif not host.strip(":"):
        names = (*own_addresses(), *filter(None, (_source_of_route(socket.AF_INET6),)))
    else:
        names = () if is_loopback(host) else (host,)
    return tuple(page_url(name, port) for name in names)


def local_url(host: str, port: int) -> str:
    """Returns the address of the page on this machine; see `page_urls`."""
    everywhere = host == "0.0.0.0" or not host.strip(":")  # noqa: S104, a comparison
    return page_url("localhost" if everywhere else host, port)


def page_url(name: str, port: int) -> str:
    """Returns the address of the page on a host."""
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/"


def missing_address(host: str) -> str:
    """Returns the reason that `page_urls` has none, and its remedy, as a clause."""
    if is_loopback(host):
        return f"only this machine can open the page, as page.host is {host}; set it to 0.0.0.0"
    if _source_of_route(socket.AF_INET6):
        return (
            "this network has only IPv6, on which the page does not listen; "
            'set page.host to "::" in the settings'
        )
    return (
        "this machine is in no network, so that no phone can open the page; "
        "connect it with the WiFi of the phones"
    )


def check_port(host: str, port: int) -> None:
    """Checks that the score page can listen on a port, before anything is started.

    Args:
        host: address or name to listen on.
        port: the port; 0 for any free one.

    Raises:
        CornerlightError: it cannot, as when another program listens there.
    """
    until = time.monotonic() + _FREED_S
    while True:
        try:
            return listen_at(host, port).close()
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise refused_port(host, port, error) from error
            time.sleep(_RETRY_S)


def refused_port(host: str, port: int, error: OSError) -> CornerlightError:
    """Returns the error that says why the score page cannot listen on a port."""
    # The message of an error of `bind` has the address again; numbers of `getaddrinfo` are below 0.
    number = error.errno or 0
    why = os.strerror(number) if number > 0 else error.strerror or str(error)
    return CornerlightError(
        f"cannot listen on port {port} of {host}: {why}; choose another with --port"
    )


def is_own(address: str) -> bool:
    """True if a request from an address comes from this machine."""
    own = (*own_addresses(), _source_of_route(socket.AF_INET6))
    return is_loopback(address) or address.removeprefix("::ffff:") in own


def is_loopback(host: str) -> bool:
    """True if only this machine reaches a host."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def _is_makeshift(address: str) -> bool:
    """True for an address that a machine gave itself, as nobody in the network gave it one."""
    return ipaddress.ip_address(address).is_link_local


def _source_of_route(family: socket.AddressFamily) -> str:
    """Returns the address of this machine on its default route; empty if there is none."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asker:
        asker.connect((_ELSEWHERE[family], 9))  # sends nothing
        return str(asker.getsockname()[0])
    return ""


def _interfaces() -> list[NetworkInterface]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        found = (_interface(asker, name) for _, name in socket.if_nameindex())
        return [one for one in found if one is not None]


def _interface(asker: socket.socket, name: str) -> NetworkInterface | None:
    """Returns an interface; None if it has no IPv4 address."""
    request = struct.pack(_REQUEST, name.encode(), 0, b"")
    try:
        address = socket.inet_ntoa(fcntl.ioctl(asker, _GET_ADDRESS, request)[20:24])
        flags = struct.unpack(_REQUEST, fcntl.ioctl(asker, _GET_FLAGS, request))[1]
    except OSError:
        return None
    hardware = sys.platform != "linux" or (_DEVICES / name / "device").exists()
    return NetworkInterface(address, hardware, bool(flags & _TUNNEL))
