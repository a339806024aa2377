"""The table as a device of Home Assistant, against the form of its documentation."""

import json
import re
from typing import Any

import pytest

from firmware.hall.link.home_assistant import BIRTH, Birth, HomeDevice, device_id, discovery_topic
from firmware.hall.link.messages import FaultCode, Summary, encode
from firmware.hall.link.topics import HallTopics
from web.contract import RefereeState

DEVICE = HomeDevice(HallTopics("testhall"), "07", "Table 7", "1.2", "http://t7.local:8000")

PLATFORMS = {
    "sensor": {"device_class", "options", "state_class", "value_template", "state_topic"},
    "binary_sensor": {"device_class", "value_template", "state_topic"},
    "event": {"event_types", "state_topic", "device_class", "value_template"},
}
"""Keys of each platform that we may use, besides those of every entity."""

ENTITY = {"platform", "unique_id", "name", "entity_category"}
CLASSES = {"sensor": {"enum"}, "binary_sensor": {"problem", "heat"}, "event": set()}


def described() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(DEVICE.description())
    return table


def test_the_description_has_the_form_of_a_device() -> None:
    table = described()
    assert set(table) == {
        "device",
        "origin",
        "components",
        "state_topic",
        "availability",
        "qos",
    }
    assert set(table["device"]) == {
        "identifiers",
        "name",
        "manufacturer",
        "model",
        "sw_version",
        "configuration_url",
    }
    assert table["device"]["identifiers"] == ["cornerlight-testhall-07"]
    assert table["origin"] == {"name": "Cornerlight", "sw_version": "1.2"}
    assert table["availability"][0]["topic"] == "cornerlight/1/testhall/table/07/status"
    assert len(DEVICE.description()) < 8 * 1024


def test_every_component_has_the_form_of_its_platform_and_writes_nothing() -> None:
    components = described()["components"]
    for key, one in components.items():
        platform = one["platform"]
        assert set(one) <= ENTITY | PLATFORMS[platform], key
        assert "command_topic" not in one
        assert one.get("device_class") in CLASSES[platform] | {None}
        assert re.fullmatch(r"cornerlight-testhall-07_[a-z]+", one["unique_id"])
        assert one["platform"] == "event" or "value_template" in one
    assert len({one["unique_id"] for one in components.values()}) == len(components)
    assert components["state"]["options"] == [str(state) for state in RefereeState]
    assert components["event"]["state_topic"].endswith("/table/07/event")


def test_templates_name_keys_that_a_summary_has() -> None:
    summary = json.loads(encode(Summary("r1", 1, "duo", faults=(FaultCode.HEAT,))))
    for one in described()["components"].values():
        for key in re.findall(r"value_json\.(\w+)", one.get("value_template", "")):
            assert key in summary, key


def test_the_topic_is_that_of_the_table_alone() -> None:
    hall = HallTopics("testhall")
    assert discovery_topic(hall, "07") == "homeassistant/device/cornerlight-testhall-07/config"
    assert device_id(hall, "07") != device_id(hall, "08")
    assert re.fullmatch(r"[a-zA-Z0-9_-]+", DEVICE.id)


@pytest.mark.parametrize("payload", [b"offline", b"", b"ONLINE"])
def test_only_a_birth_is_answered(payload: bytes) -> None:
    birth = Birth()
    birth.hear(payload, 0.0)
    assert not birth.is_due(100.0)


def test_a_birth_is_answered_once_after_a_random_delay() -> None:
    delays = set()
    for _ in range(50):
        birth = Birth()
        birth.hear(BIRTH, 0.0)
        assert not birth.is_due(0.4)
        delay = next(tenth / 10 for tenth in range(100) if birth.is_due(tenth / 10))
        assert delay <= 5.1
        delays.add(delay)
        assert not birth.is_due(100.0)
    assert len(delays) > 5
