"""A bridge: which addresses it takes, and that only public copies leave the hall."""

import time
from pathlib import Path

import pytest

from firmware.errors import SettingsError
from firmware.hall.bridge import Bridge
from firmware.hall.broker import Broker
from firmware.hall.certificates import certificates
from firmware.hall.link.topics import HallTopics
from tests.support.free_port import free_port
from tests.support.mqtt_clients import NotingClient

TOPICS = HallTopics("ourhall")


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        (
            "mqtts://me:s%40cret@example.org",
            Bridge("example.org", 8883, is_secure=True, user="me", password="s@cret"),  # noqa: S106
        ),
        ("mqtt://192.0.2.7:1884/", Bridge("192.0.2.7", 1884, is_secure=False)),
        ("mqtts://[2001:db8::7]:8884", Bridge("2001:db8::7", 8884, is_secure=True)),
    ],
)
def test_an_address_is_read(uri: str, expected: Bridge) -> None:
    assert Bridge.parse(uri) == expected


@pytest.mark.parametrize(
    "uri",
    ["", "example.org", "https://example.org", "mqtts://", "mqtts://a:b@host/topic",
     "mqtts://host:port", "mqtts://a:b%0Aallow_anonymous%20true@host", "mqtts://ho st"],
)  # fmt: skip
def test_another_address_is_one_sentence(uri: str) -> None:
    with pytest.raises(SettingsError, match=r"--bridge takes mqtts://USER:PASSWORD@HOST:PORT"):
        Bridge.parse(uri)


def test_only_public_copies_reach_the_other_broker(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "outer").mkdir()
    made = certificates(tmp_path / "inner", ["localhost"])
    outer_made = certificates(tmp_path / "outer", ["localhost"])
    # A broker that is not ours may have several clients of a user, as this one has.
    several = "use_username_as_clientid false\n"
    outer = Broker(tmp_path / "outer", free_port(), outer_made, TOPICS.root, several)
    outer.set_passwords({"hall": "outside"})
    bridge = Bridge.parse(f"mqtts://hall:outside@localhost:{outer.port}").settings_text(TOPICS)
    # The outer broker of this test has an authority of its own instead of a public one.
    bridge = "\n".join(
        one for one in bridge.splitlines() if not one.startswith(("bridge_cafile", "bridge_capath"))
    )
    bridge += f"\nbridge_cafile {outer_made.authority}\n"
    inner = Broker(tmp_path / "inner", free_port(), made, TOPICS.root, bridge)
    inner.set_passwords({"hall": "inside", "07": "seven's"})
    with (
        outer,
        inner,
        NotingClient(inner.port, made.authority, "hall", "inside") as hall,
        NotingClient(inner.port, made.authority, "07", "seven's") as table,
        NotingClient(outer.port, outer_made.authority, "hall", "outside") as public,
    ):
        public.subscribe(f"{TOPICS.root}/#")
        table.publish(f"{TOPICS.root}/table/07/summary", "ours", retain=True)
        hall.publish(TOPICS.clock, "ours", retain=True)
        hall.publish(TOPICS.show("standings"), "everybody's", retain=True)
        assert public.wait_for(TOPICS.show("standings")) == [b"everybody's"]
        public.publish(TOPICS.seat("07"), "not theirs", retain=True)
        public.publish(TOPICS.show("more"), "not theirs", retain=True)
        hall.subscribe(f"{TOPICS.root}/#")
        hall.publish(TOPICS.show("last"), "end", retain=True)
        public.wait_for(TOPICS.show("last"))
        time.sleep(0.2)
        assert {one for one in public.messages if "/show/" not in one} == {TOPICS.seat("07")}
        assert TOPICS.seat("07") not in hall.messages
        assert TOPICS.show("more") not in hall.messages
