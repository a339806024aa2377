"""Phones in the IPv6 network of the page, and in another one; the network is a real one."""

import pytest

from tests.evaluation.connections import can_isolate
from tests.support import ipv6_home

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not can_isolate(), reason="no network namespace here"),
]

STREAMS = 64
"""The streams of a page, of which a network has three quarters."""


def test_phones_of_the_network_of_the_page_count_singly_and_known_ones_not_at_all() -> None:
    found = ipv6_home.statuses()
    assert found["streams at home"] == [200] * (3 * STREAMS // 4) + [503] * 2
    assert found["paired"] == found["seated"] == [200]
    assert found["made up"] == [503]
    assert found["streams abroad"] == [200] * 8 + [503] * 4
    assert 429 in found["flood"]
    assert found["changes at home"] == [415] * 3
