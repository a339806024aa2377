"""A bridge to another broker, which gets the public copies of the hall and nothing else."""

import re
import ssl
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import unquote, urlsplit

from firmware.errors import SettingsError
from firmware.hall.link.topics import HallTopics

_PORTS: Final = {"mqtt": 1883, "mqtts": 8883}
"""Usual port of each kind of address."""

_UNWANTED: Final = re.compile(r"[\s\x00-\x1f\x7f]")
"""Signs that would begin another line or word of the settings."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """Another broker.

    Attributes:
        host: its name or address.
        port: its port.
        is_secure: True for TLS, with certificates that this machine trusts.
        user: name of the hall there; empty for none.
        password: its password.
    """

    host: str
    port: int
    is_secure: bool
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def parse(cls, uri: str) -> Self:
        """Reads an address, `mqtts://USER:PASSWORD@HOST:PORT`.

        Raises:
            SettingsError: it is none.
        """
        form = "--bridge takes mqtts://USER:PASSWORD@HOST:PORT, or mqtt:// without encryption"
        try:
            parts = urlsplit(uri)
            port = parts.port
        except ValueError as error:
            raise SettingsError(form) from error
        words = (unquote(parts.username or ""), unquote(parts.password or ""))
        known = parts.scheme in _PORTS and parts.hostname and parts.path in ("", "/")
        if not known or any(map(_UNWANTED.search, (parts.hostname or "", *words))):
            raise SettingsError(form)
        assert parts.hostname is not None, "it was looked at"
        return cls(parts.hostname, port or _PORTS[parts.scheme], parts.scheme == "mqtts", *words)

    def settings_text(self, topics: HallTopics) -> str:
        """Returns the settings of the bridge, mosquitto.conf(5).

        Only the public copies go out, and nothing comes in.
        """
        root = f"{topics.root}/"
        shown = topics.all_shown.removeprefix(root)
        host = f"[{self.host}]" if ":" in self.host else self.host
        lines = [
            "connection outside",
            f"address {host}:{self.port}",
            f"topic {shown} out 1 {root} {root}",
            "bridge_protocol_version mqttv50",
            f"remote_clientid cornerlight-{topics.hall}",
            "cleansession true",
            "notifications false",
            "try_private false",
            "restart_timeout 2 30",
        ]
        if self.user:
            lines += [f"remote_username {self.user}", f"remote_password {self.password}"]
        if self.is_secure:
            places = ssl.get_default_verify_paths()
            if places.cafile:
                lines.append(f"bridge_cafile {places.cafile}")
            else:
                lines.append(f"bridge_capath {places.capath}")
        return "\n".join(lines) + "\n"
