"""The address and the name by which phones reach the page."""

from pathlib import Path

import pytest

from firmware.commands.checks.check import Check
from firmware.commands.checks.services import check_address, check_name
from firmware.machine import network
from firmware.machine.network import NetworkInterface
from firmware.machine.units import NAME_SERVICE, units
from firmware.settings import PageSettings
from tests.support.stand_in_computer import StandInComputer

BUS = ("busctl", "call", "org.freedesktop.Avahi")


@pytest.fixture
def pi(tmp_path: Path) -> StandInComputer:
    return StandInComputer(tmp_path)


def name(pi: StandInComputer) -> Check:
    return check_name(pi.computer, units(pi.computer).get(NAME_SERVICE), 8000)


def in_network(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    monkeypatch.setattr(network, "_interfaces", lambda: list(map(NetworkInterface, addresses)))
    monkeypatch.setattr(network, "_source_of_route", lambda _: "")


def test_the_address_for_phones_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    in_network(monkeypatch, "192.168.1.20", "127.0.0.1")
    check = check_address(PageSettings(), is_served=True)
    assert (check.fine, check.found) == (True, "http://192.168.1.20:8000/")


def test_no_network_is_wrong_only_where_a_service_serves_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_network(monkeypatch, "127.0.0.1")
    check = check_address(PageSettings(), is_served=True)
    assert (check.fine, check.remedy) == (False, "sudo nmtui")
    assert check_address(PageSettings(), is_served=False).fine is True


def test_a_page_for_this_computer_alone_is_wrong_for_a_service() -> None:
    check = check_address(PageSettings(host="127.0.0.1"), is_served=True)
    assert (check.fine, check.remedy) == (False, "sudoedit /etc/cornerlight/table.toml")


def test_the_name_is_the_one_that_the_network_is_told(pi: StandInComputer) -> None:
    pi.outputs[BUS] = 's "club-2.local"'
    assert name(pi) == Check("name", fine=True, found="http://club-2.local:8000/")
    pi.outputs[BUS] = None
    assert name(pi).fine is None


def test_a_name_service_that_was_stopped_is_started(pi: StandInComputer) -> None:
    pi.units[NAME_SERVICE]["ActiveState"] = "inactive"
    check = name(pi)
    assert (check.fine, check.remedy) == (False, f"sudo systemctl enable --now {NAME_SERVICE}")


def test_without_a_name_service_phones_take_the_address(pi: StandInComputer) -> None:
    pi.units[NAME_SERVICE]["LoadState"] = "not-found"
    assert name(pi).fine is True
    pi.outputs["systemctl",] = None
    assert name(pi).fine is None
