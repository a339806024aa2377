"""A table as a device of Home Assistant: sensors and events that nobody can write to.

One message under `homeassistant/device/<id>/config` describes the device; its sensors read the
topics that a table has anyway. Home Assistant forgets what it was told before its start, unless
the message is sent again when it says that it is online.
"""

import json
import random
from dataclasses import dataclass
from typing import Any, Final

from firmware.hall.link.messages import AskCode, EventType, FaultCode
from firmware.hall.link.topics import QOS, HallTopics, TableTopic
from web.contract import RefereeState

BIRTH_TOPIC: Final = "homeassistant/status"
"""Topic under which Home Assistant says `online` after its start."""

BIRTH: Final = b"online"
"""Payload of `BIRTH_TOPIC` that asks for a new description: Home Assistant's default."""

_LONGEST_DELAY_S: Final = 5.0
"""Greatest seconds of the random delay after its start, so that not all tables answer at once."""

_ORIGIN: Final = "Cornerlight"
"""Maker of the device, and program in `origin`, which the description has to name."""


@dataclass(frozen=True, slots=True)
class HomeDevice:
    """The table as a device.

    Attributes:
        topics: topics of the hall.
        table: number of the table as text.
        label: name of the table for people.
        version: release of the table's program.
        url: address of the table's page; empty if it is not known.
    """

    topics: HallTopics
    table: str
    label: str
    version: str
    url: str = ""

    @property
    def id(self) -> str:
        """The id of the device, unique among all halls of a home."""
        return device_id(self.topics, self.table)

    @property
    def topic(self) -> str:
        """Topic of the description."""
        return discovery_topic(self.topics, self.table)

    def description(self) -> bytes:
        """Returns the description of the device as JSON."""
        device = {
            "identifiers": [self.id],
            "name": self.label,
            "manufacturer": _ORIGIN,
            "model": "Table",
            "sw_version": self.version,
        }
        if self.url:
            device["configuration_url"] = self.url
        table = {
            "device": device,
            "origin": {"name": _ORIGIN, "sw_version": self.version},
            "components": self._components(),
            "state_topic": self._topic(TableTopic.SUMMARY),
            "availability": [
                {
                    "topic": self._topic(TableTopic.STATUS),
                    "value_template": "{{ 'online' if value_json.online else 'offline' }}",
                }
            ],
            "qos": QOS,
        }
        return json.dumps(table, ensure_ascii=False, separators=(",", ":")).encode()

    def _components(self) -> dict[str, dict[str, Any]]:
        turn = "{{ value_json.colors[value_json.turn].{} if value_json.turn is not none else '' }}"
        components: dict[str, dict[str, Any]] = {
            "state": {
                "name": "State",
                "platform": "sensor",
                "device_class": "enum",
                "options": [str(state) for state in RefereeState],
                "value_template": "{{ value_json.state }}",
            },
            "turn": {
                "name": "To move",
                "platform": "sensor",
                "value_template": turn.replace("{}", "name"),
            },
            "player": {
                "name": "Player to move",
                "platform": "sensor",
                "value_template": turn.replace("{}", "player"),
            },
            "ply": {
                "name": "Pieces laid",
                "platform": "sensor",
                "state_class": "measurement",
                "value_template": "{{ value_json.ply }}",
            },
            "arbiter": {
                "name": "Arbiter called",
                "platform": "binary_sensor",
                "value_template": _is_on(f"value_json.ask == '{AskCode.ARBITER}'"),
            },
            "fault": {
                "name": "Fault",
                "platform": "binary_sensor",
                "device_class": "problem",
                "entity_category": "diagnostic",
                "value_template": _is_on("value_json.faults | length > 0"),
            },
            "hot": {
                "name": "Computer too hot",
                "platform": "binary_sensor",
                "device_class": "heat",
                "entity_category": "diagnostic",
                "value_template": _is_on(f"'{FaultCode.HEAT}' in value_json.faults"),
            },
            "event": {
                "name": "Game",
                "platform": "event",
                "event_types": [str(kind) for kind in EventType],
                "state_topic": self._topic(TableTopic.EVENT),
            },
        }
        for key, component in components.items():
            component["unique_id"] = f"{self.id}_{key}"
        return components

    def _topic(self, topic: TableTopic) -> str:
        return self.topics.table(self.table, topic)


class Birth:
    """Tells when to describe the device again, some seconds after Home Assistant has started."""

    def __init__(self) -> None:
        self._due_s: float | None = None

    def hear(self, payload: bytes, now: float) -> None:
        """Takes a message of Home Assistant's own topic.

        Args:
            payload: content of the message.
            now: time of a monotonic clock in seconds.
        """
        if payload == BIRTH:
            self._due_s = now + random.uniform(0.5, _LONGEST_DELAY_S)  # noqa: S311 - no secret

    def is_due(self, now: float) -> bool:
        """True once after each start; then the description is sent, and the state after it."""
        if self._due_s is None or now < self._due_s:
            return False
        self._due_s = None
        return True


def device_id(topics: HallTopics, table: str) -> str:
    """Returns the id of a table among the devices of a home."""
    return f"cornerlight-{topics.hall}-{table}"


def discovery_topic(topics: HallTopics, table: str) -> str:
    """Returns the topic of a table's description; an empty message removes the device."""
    return f"homeassistant/device/{device_id(topics, table)}/config"


def _is_on(condition: str) -> str:
    return "{{ 'ON' if " + condition + " else 'OFF' }}"
