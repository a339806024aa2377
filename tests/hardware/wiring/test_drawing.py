"""A drawing is legible: no text over another, nothing outside, and few crossings."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest

from firmware.settings import load, parse
from hardware.wiring.builds import BUILDS, build_of
from hardware.wiring.harness import Harness, harness_of
from tests.conftest import ROOT

NEEDED = "drawings need schemdraw, which is for developers"
svg = pytest.importorskip("hardware.wiring.drawing", reason=NEEDED).svg
sheet = pytest.importorskip("hardware.wiring.sheet", reason=NEEDED)

SVG = "{http://www.w3.org/2000/svg}"
FILES = sorted((ROOT / "hardware").glob("*/table*.toml"))

EM = 0.62
"""Mean width of a character in heights, of DejaVu Sans, the widest font that stands in."""

Box = tuple[float, float, float, float]


def boxes(root: ET.Element) -> list[tuple[str, Box]]:
    """The texts of a drawing with their edges: left, top, right, bottom."""
    found = []
    for node in root.iter(f"{SVG}text"):
        words = "".join(node.itertext())
        size = float(node.get("font-size", ""))
        wide, left = len(words) * size * EM, float(node.get("x", ""))
        left -= {"start": 0.0, "middle": wide / 2, "end": wide}[node.get("text-anchor", "")]
        middle = float(node.get("y", "")) + size
        found.append((words, (left, middle - size * 0.4, left + wide, middle + size * 0.4)))
    return found


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def ways(root: ET.Element, name: str) -> list[list[tuple[float, float]]]:
    """The lines of a wire, of its topmost colour."""
    group = next(node for node in root.iter(f"{SVG}g") if node.get("id") == name)
    paths = list(group.iter(f"{SVG}path"))
    top = paths[-1].get("style")
    return [
        [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path.get("d", ""))]
        for path in paths
        if path.get("style") == top
    ]


def crossings(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> int:
    """Number of places where a horizontal part of one way crosses a vertical part of another."""
    count = 0
    for way, across in ((one, other), (other, one)):
        for (x, y), (to_x, to_y) in pairwise(way):
            for (a, b), (to_a, to_b) in pairwise(across):
                if abs(y - to_y) < 0.01 and abs(a - to_a) < 0.01:
                    inside = min(x, to_x) < a < max(x, to_x) and min(b, to_b) < y < max(b, to_b)
                    count += inside
    return count


def stored() -> list[Harness]:
    return [harness_of(load(path), build_of(path.parent.name)) for path in FILES]


def others() -> list[Harness]:
    """Wirings that no build has, for each way in which settings may differ."""
    found = []
    for build in BUILDS.values():
        for lights in (
            {"first": "top-right"},
            {"first": "bottom-left"},
            {"first": "bottom-right", "along": "columns"},
            {"along": "columns", "serpentine": False},
            {"serpentine": False},
            {"columns": 16, "rows": 16, "panels_across": 2, "panels_down": 2},
            {"driver": "rpi-ws281x", "bus": "pwm"},
            {"driver": "rpi-ws281x", "bus": "pcm"},
        ):
            table = {"lights": {"driver": "spi", **lights}, "buttons": {"driver": "gpiozero"}}
            found.append(harness_of(parse(table), build))
    pins = {"driver": "gpiozero", "pins": [4, 27, 22, 26, 16, 20, 12]}
    found.append(harness_of(parse({"lights": {"driver": "spi"}, "buttons": pins}), build))
    return found


@pytest.mark.parametrize("harness", [*stored(), *others()], ids=lambda one: one.build.title)
def test_every_text_is_legible_and_all_lies_within(harness: Harness) -> None:
    root = ET.fromstring(svg(harness))  # noqa: S314, our own
    texts = boxes(root)
    over = [
        (one, other)
        for (one, edges), (other, edges_too) in combinations(texts, 2)
        if overlap(edges, edges_too)
    ]
    assert over == []
    for words, (left, top, right, bottom) in texts:
        assert left >= 0, words
        assert top >= 0, words
        assert right <= sheet.WIDTH, words
        assert bottom <= sheet.HEIGHT, words
    for wire in harness.connections:
        points = [point for way in ways(root, wire.name) for point in way]
        assert all(0 <= x <= sheet.WIDTH and 0 <= y <= sheet.HEIGHT for x, y in points), wire.name
    fonts = {node.get("font-family") for node in root.iter(f"{SVG}text")}
    assert fonts == {"Arial, Helvetica, sans-serif"}


@pytest.mark.parametrize("harness", stored(), ids=lambda one: one.build.title)
def test_wires_of_buttons_and_data_cross_nothing(harness: Harness) -> None:
    root = ET.fromstring(svg(harness))  # noqa: S314, our own
    lines = {wire.name: ways(root, wire.name)[0] for wire in harness.connections}
    for wire in harness.connections:
        if wire.pin or wire.colour == "green":
            for other, line in lines.items():
                if other != wire.name:
                    assert crossings(lines[wire.name], line) == 0, (wire.name, other)


def test_black_passes_over_the_red_clamp_alone() -> None:
    """Each wire from the lower clamp has to pass the upper one; nothing else of power crosses."""
    for harness in stored():
        root = ET.fromstring(svg(harness))  # noqa: S314, our own
        power = [wire for wire in harness.connections if wire.start.startswith("X1")]
        for one, other in combinations(power, 2):
            assert crossings(ways(root, one.name)[0], ways(root, other.name)[0]) == 0


@pytest.mark.parametrize("harness", stored(), ids=lambda one: one.build.title)
def test_a_wire_ends_where_its_part_is(harness: Harness) -> None:
    root = ET.fromstring(svg(harness))  # noqa: S314, our own
    groups = {node.get("id"): node for node in root.iter(f"{SVG}g")}
    for wire in harness.connections:
        if wire.pin:
            circle = next(groups[f"J8-{wire.pin}"].iter(f"{SVG}circle"))
            x, y = ways(root, wire.name)[0][0]
            assert abs(y - float(circle.get("cy", ""))) <= 8
            is_odd = wire.pin % 2 == 1
            starts_at_circle = abs(x - float(circle.get("cx", ""))) < 1
            assert starts_at_circle or (x < float(circle.get("cx", ""))) is is_odd


def test_a_table_without_buttons_is_drawn_without_them() -> None:
    bare = harness_of(parse({"lights": {"driver": "spi"}}), BUILDS["glowing_board"])
    assert "Button" not in svg(bare)
