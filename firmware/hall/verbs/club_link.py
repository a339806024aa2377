"""Parts of the verbs `hall`, `join`, `share` and `unshare`: the extra, and lines of events."""

import argparse
import json
from importlib.util import find_spec
from typing import Final

from firmware.errors import CornerlightError, install_command

_LIBRARIES: Final = ("paho", "cryptography")
"""Libraries of the extra that connecting to a hall needs."""


def require_club() -> None:
    """Checks that the extra is installed.

    Raises:
        CornerlightError: it is not.
    """
    if any(find_spec(library) is None for library in _LIBRARIES):
        command = install_command("paho-mqtt", "rustworkx")
        raise CornerlightError(f"a hall needs more libraries; install them with: {command}")


def say_event(arguments: argparse.Namespace, text: str, event: str, **facts: object) -> None:
    """Prints what happened, as a sentence or as a line of JSON."""
    print(json.dumps({"event": event, **facts}) if arguments.json else text, flush=True)
