"""Every screen of a table says and draws what it did, in every language."""

import json

import pytest

from tests.support.golden_screens import FILE, digests, screens

pytestmark = pytest.mark.slow


def test_every_screen_is_as_it_was() -> None:
    found, golden = digests(screens()), json.loads(FILE.read_text())
    changed = [
        f"{page}.{key}"
        for page in found.keys() | golden.keys()
        for key in found.get(page, {}).keys() | golden.get(page, {}).keys()
        if found.get(page, {}).get(key) != golden.get(page, {}).get(key)
    ]
    assert not changed, "compare the texts: python -m tests.support.golden_screens FOLDER"
