"""Comparison of a stored drawing with the connections; needs no library."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final
from xml.etree import ElementTree as ET

from hardware.wiring.harness import Harness
from hardware.wiring.header import NAMES
from hardware.wiring.table_text import facts_of, words_of

_SPACE: Final = "{http://www.w3.org/2000/svg}"
"""Namespace of SVG as `ElementTree` writes it, before the name of an element."""

_COLOUR: Final = {kind: re.compile(rf"(?:^|;){kind}:([^;]+)") for kind in ("stroke", "fill")}
"""A colour in a style."""

_WIRE: Final = re.compile(r"W\d+")
"""Name of a wire."""


def differences_in(drawing: str, harness: Harness) -> Iterator[str]:
    """Yields what in a drawing is not as in the connections.

    Args:
        drawing: an SVG that `hardware.wiring.drawing` has made.
        harness: the connections.
    """
    try:
        root = ET.fromstring(drawing)  # noqa: S314, a file of our own
    except ET.ParseError as error:
        yield f"is no drawing: {error}"
        return
    groups = {node.get("id", ""): node for node in root.iter(f"{_SPACE}g")}
    yield from _wires(groups, harness)
    yield from _pins(groups, harness)
    shown = _texts(groups.get("figures"))
    for name, value in facts_of(harness):
        if (name, value) not in pairwise(shown):
            yield f"does not show: {name} {value}"
    leds = len(_colours(groups.get("chain"), "circle", "fill"))
    if leds != harness.layout.length:
        yield f"shows {leds} LEDs, and there are {harness.layout.length}"


def _wires(groups: dict[str, ET.Element], harness: Harness) -> Iterator[str]:
    expected = {wire.name: wire for wire in harness.connections}
    for name in groups:
        if _WIRE.fullmatch(name) and name not in expected:
            yield f"shows {name}, and there is none"
    for name, wire in expected.items():
        group = groups.get(name)
        title = "" if group is None else group.findtext(f"{_SPACE}title", "")
        if title != words_of(wire):
            yield f"shows {title or 'no ' + name!r} instead of {words_of(wire)!r}"
        elif _colours(group, "path", "stroke")[-1:] != [wire.colour]:
            yield f"shows {name} in another colour than {wire.colour}"
        elif not any(text.split(" ")[0] == name for text in _texts(group)):
            yield f"does not name {name}"


def _pins(groups: dict[str, ET.Element], harness: Harness) -> Iterator[str]:
    colours = {wire.pin: wire.colour for wire in harness.connections if wire.pin}
    for pin, name in enumerate(NAMES, 1):
        group, colour = groups.get(f"J8-{pin}"), colours.get(pin, "white")
        if _texts(group) != [str(pin), name]:
            yield f"shows pin {pin} not as {name}"
        elif _colours(group, "circle", "fill") != [colour]:
            yield f"shows pin {pin} not in {colour}"


def _texts(group: ET.Element | None) -> list[str]:
    nodes = [] if group is None else group.iter(f"{_SPACE}text")
    return [" ".join("".join(node.itertext()).split()) for node in nodes]


def _colours(group: ET.Element | None, shape: str, kind: str) -> list[str]:
    nodes = [] if group is None else group.iter(f"{_SPACE}{shape}")
    found = (_COLOUR[kind].search(node.get("style", "")) for node in nodes)
    return [one[1] for one in found if one]
