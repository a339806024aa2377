"""Settings, rights and passwords of the broker, as Mosquitto reads them."""

import base64
import hashlib
import os
import pwd
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.hall.link.topics import TableTopic

ORGANISER: Final = "hall"
"""User of the hall itself, which writes and reads all topics of the hall."""

MOST_PACKET_BYTES: Final = 65 * 1024
"""Greatest bytes of a packet: the longest message, with its topic and properties."""

_SAVED_S: Final = 30
"""Seconds between two copies of the retained messages on disk. With the messages of 50 tables,
1.5 MB, that is 0.2 GB an hour. Tables and hall publish again all that they have when the broker
returns; the copy is for tables that are gone."""

_MOST_QUEUED: Final = 256
"""Greatest number of messages that wait for one client."""

_GREATEST_KEEPALIVE_S: Final = 60
"""Greatest seconds of silence that a client may ask for."""

_SESSION: Final = "2h"
"""Time for which a client that is away keeps its session."""

_ITERATIONS: Final = 101
"""Iterations of PBKDF2, the number of mosquitto_passwd. More would not help: the secrets are
random, with 128 bits."""

_SALT_BYTES: Final = 12
"""Bytes of salt, as of mosquitto_passwd."""

_SECRET_BYTES: Final = 16
"""Bytes of a secret before they are written as text."""


SETTINGS: Final = "mosquitto.conf"
"""File of the settings, mosquitto.conf(5)."""

RIGHTS: Final = "rights"
"""File that says who may write and read which topic."""

PASSWORDS: Final = "passwords"
"""Password file."""

LOG: Final = "mosquitto.log"
"""File of the broker's errors and warnings since the hall began."""


def settings_text(folder: Path, listener: Path, bridge: str = "") -> str:
    """Returns the settings of the broker.

    Args:
        folder: folder of the broker.
        listener: socket on which it listens, behind the gate.
        bridge: settings of a bridge to another broker.
    """
    lines = (
        "per_listener_settings false",
        # As root, Debian's Mosquitto would change to a user of its own, which cannot read keys.
        f"user {pwd.getpwuid(os.geteuid()).pw_name}",
        f"listener 0 {listener}",
        "protocol mqtt",
        # The newest connection of a name ends the others, so a name is proved by its password.
        "use_username_as_clientid true",
        "allow_anonymous false",
        f"password_file {(folder / PASSWORDS).absolute()}",
        f"acl_file {(folder / RIGHTS).absolute()}",
        "persistence true",
        f"persistence_location {folder.absolute()}/",
        "persistence_file retained.db",
        f"autosave_interval {_SAVED_S}",
        f"persistent_client_expiration {_SESSION}",
        f"max_packet_size {MOST_PACKET_BYTES}",
        "max_topic_alias 0",  # a message of a few bytes could have the longest topic
        f"max_queued_messages {_MOST_QUEUED}",
        f"max_keepalive {_GREATEST_KEEPALIVE_S}",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
        "connection_messages false",
    )
    return "\n".join(lines) + "\n" + bridge


def rights_text(prefix: str) -> str:
    """Returns the rights of the clients: all for the hall, its own topics for a table.

    The user of a table is its name in topics. It writes these by name alone, so it leaves no more
    messages than there are kinds.

    Args:
        prefix: beginning of all topics of the hall, without a slash at its end.
    """
    lines = (
        f"user {ORGANISER}",
        f"topic readwrite {prefix}/#",
        "",
        *(f"pattern write {prefix}/table/%u/{kind}" for kind in TableTopic),
        f"pattern read {prefix}/seat/%u",
        f"pattern read {prefix}/hall/#",
        f"pattern read {prefix}/round/clock",
    )
    return "\n".join(lines) + "\n"


def new_secret() -> str:
    """Returns a random password, 22 signs that need no escape in an address."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def password_file(passwords: Mapping[str, str]) -> bytes:
    """Returns the content of a password file.

    Args:
        passwords: passwords by user; a user has no colon and no line break.
    """
    return "".join(f"{user}:{_hashed(secret)}\n" for user, secret in passwords.items()).encode()


def _hashed(secret: str) -> str:
    salt = secrets.token_bytes(_SALT_BYTES)
    digest = hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, _ITERATIONS)
    coded = (base64.b64encode(one).decode() for one in (salt, digest))
    return f"$7${_ITERATIONS}${'$'.join(coded)}"
