"""The command that opens a port, on systems with different firewalls."""

import pytest

from firmware.commands.page_guide import firewall_remedy


@pytest.mark.parametrize(
    ("installed", "command"),
    [
        ({"ufw", "nft"}, "sudo ufw allow 8123/tcp"),
        ({"firewall-cmd", "nft"}, "sudo firewall-cmd --add-port=8123/tcp"),
        ({"nft"}, "sudo nft insert rule inet filter input tcp dport 8123 accept"),
        (set(), "open TCP port 8123"),
    ],
)
def test_the_command_is_that_of_the_installed_firewall(installed: set[str], command: str) -> None:
    assert command in firewall_remedy(8123, "linux", installed.__contains__)


def test_macos_has_a_setting_instead_of_a_command() -> None:
    assert "System Settings" in firewall_remedy(8123, "darwin", lambda _: True)
