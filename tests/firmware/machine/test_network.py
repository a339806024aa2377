"""The port of the page, and addresses for phones on machines with several networks or none."""

import socket
import threading

import pytest

from firmware.errors import CornerlightError
from firmware.machine import network
from firmware.machine.network import (
    NetworkInterface,
    check_port,
    is_loopback,
    is_own,
    local_url,
    missing_address,
    own_addresses,
    page_urls,
    reachable,
)

LOOPBACK = NetworkInterface("127.0.0.1", is_hardware=False)
WIFI = NetworkInterface("192.168.1.5")
CABLE = NetworkInterface("10.0.0.3")
CONTAINERS = NetworkInterface("172.17.0.1", is_hardware=False)
VPN = NetworkInterface("10.8.0.2", is_hardware=False, is_tunnel=True)
UNASSIGNED = NetworkInterface("169.254.7.7")


@pytest.mark.parametrize(
    ("interfaces", "default", "expected"),
    [
        ((LOOPBACK, WIFI), "192.168.1.5", ("192.168.1.5",)),
        ((LOOPBACK, CABLE, WIFI), "192.168.1.5", ("192.168.1.5", "10.0.0.3")),
        ((LOOPBACK, CONTAINERS, WIFI), "192.168.1.5", ("192.168.1.5",)),
        ((WIFI, VPN), "10.8.0.2", ("192.168.1.5",)),
        ((LOOPBACK, WIFI), "", ("192.168.1.5",)),
        ((CONTAINERS, WIFI), "172.17.0.1", ("172.17.0.1", "192.168.1.5")),
        ((UNASSIGNED, WIFI), "", ("192.168.1.5", "169.254.7.7")),
        ((LOOPBACK, CONTAINERS), "", ("172.17.0.1",)),
        ((LOOPBACK,), "", ()),
    ],
)
def test_phones_get_the_addresses_of_the_local_network(
    interfaces: tuple[NetworkInterface, ...], default: str, expected: tuple[str, ...]
) -> None:
    assert reachable(interfaces, default) == expected


def test_the_addresses_of_this_machine_are_neither_loopback_nor_twice_there() -> None:
    found = own_addresses()
    assert len(set(found)) == len(found)
    assert not any(map(is_loopback, found))


def networks(monkeypatch: pytest.MonkeyPatch, four: tuple[str, ...], six: str) -> None:
    monkeypatch.setattr(network, "own_addresses", lambda: four)
    monkeypatch.setattr(network, "_source_of_route", lambda _: six)


def test_a_page_for_everybody_is_at_each_address(monkeypatch: pytest.MonkeyPatch) -> None:
    networks(monkeypatch, ("192.168.1.5", "10.0.0.3"), "fd00::2")
    assert page_urls("0.0.0.0", 80) == ("http://192.168.1.5:80/", "http://10.0.0.3:80/")  # noqa: S104
    assert page_urls("::", 80)[-1] == "http://[fd00::2]:80/"
    assert page_urls("10.0.0.3", 80) == ("http://10.0.0.3:80/",)
    assert local_url("::", 80) == local_url("0.0.0.0", 80) == "http://localhost:80/"  # noqa: S104
    assert local_url("10.0.0.3", 80) == "http://10.0.0.3:80/"


@pytest.mark.parametrize(
    ("host", "six", "words"),
    [
        ("0.0.0.0", "", "in no network"),  # noqa: S104
        ("0.0.0.0", "fd00::2", 'only IPv6, on which the page does not listen; set page.host to "'),  # noqa: S104
        ("127.0.0.1", "", "page.host is 127.0.0.1"),
        ("localhost", "", "page.host is localhost"),
        ("::1", "", "page.host is ::1"),
    ],
)
def test_a_page_that_no_phone_can_open_has_a_reason_of_one_sentence(
    monkeypatch: pytest.MonkeyPatch, host: str, six: str, words: str
) -> None:
    networks(monkeypatch, (), six)
    assert page_urls(host, 80) == ()
    assert words in missing_address(host)
    assert "\n" not in missing_address(host)


def test_requests_of_this_machine_are_told_from_those_of_phones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    networks(monkeypatch, ("192.168.1.5",), "fd00::2")
    for own in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "192.168.1.5", "::ffff:192.168.1.5"):
        assert is_own(own)
    assert is_own("fd00::2")
    for other in ("192.168.1.6", "::ffff:192.168.1.6", "fd00::3"):
        assert not is_own(other)


def test_a_port_in_use_and_an_unknown_host_are_one_sentence_each() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CornerlightError, match=f"port {port} of .*: Address already in use; "):
            check_port("127.0.0.1", port)
    with pytest.raises(CornerlightError, match=r"port 0 of no such host: .*; choose another"):
        check_port("no such host", 0)


def test_a_port_that_a_page_gives_up_within_a_second_is_waited_for() -> None:
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]
    threading.Timer(0.4, taken.close).start()
    check_port("127.0.0.1", port)
