"""Raspberry Pi Imager's own schema of its lists of systems, and what it asks of them besides."""

import json
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft7Validator

_SCHEMA: Final = Path(__file__).parents[1] / "systemd" / "data" / "os-list-schema.json"


def faults(listed: dict[str, Any]) -> list[str]:
    """Returns what Imager would not take of a list."""
    found = [
        error.message
        for error in Draft7Validator(json.loads(_SCHEMA.read_text())).iter_errors(listed)
    ]
    # Of a list without devices, Imager 2 shows a first page that cannot be left.
    shown = {
        tag for device in listed.get("imager", {}).get("devices", ()) for tag in device["tags"]
    }
    asked = {tag for system in listed.get("os_list", ()) for tag in system.get("devices", ())}
    return (
        found + [f"no device shows {tag}" for tag in asked - shown] + ["no devices"] * (not shown)
    )
