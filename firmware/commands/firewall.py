"""The command that opens a port in the firewall of this system."""

import shutil
import sys
from collections.abc import Callable, Mapping
from typing import Final

_COMMANDS: Final[Mapping[str, str]] = {
    "firewall-cmd": "sudo firewall-cmd --add-port={port}/tcp",
    "ufw": "sudo ufw allow {port}/tcp",
    "nft": "sudo nft insert rule inet filter input tcp dport {port} accept",
}
"""Commands by the program that has to be there. Distributions that have the first or the second
use the third beneath it; the names of table and chain are those of Debian's nftables.conf."""

_FOLDERS: Final = "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin"
"""Folders of these programs, which are not all in the path of a usual user."""


def _is_there(program: str) -> bool:
    return shutil.which(program, path=_FOLDERS) is not None


def firewall_remedy(
    port: int, platform: str = sys.platform, is_there: Callable[[str], bool] = _is_there
) -> str:
    """Returns what opens a port, as the end of a sentence.

    Args:
        port: the port.
        platform: the system, as `sys.platform` names it.
        is_there: True for the name of a program that is installed.
    """
    if platform == "darwin":
        return (
            "allow incoming connections for Python in System Settings, Network, Firewall, Options"
        )
    command = next((text for name, text in _COMMANDS.items() if is_there(name)), "")
    if not command:
        return f"open TCP port {port} in it"
    return f"open the port with: {command.format(port=port)}"
