"""The parts of the reader, and what stands in the place of each when it is switched off."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from vision.squares.network import OUTSIDE, tiles
from vision.squares.tile_groups import TileGroups


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the reader.

    Attributes:
        effect: the effect that it is meant to have.
        places: dotted names by which it is called.
        instead: object that stands there when it is switched off.
        within: function by whose result a constant is seen to act; without one it always acts.
    """

    effect: str
    places: tuple[str, ...]
    instead: Any
    within: str = ""


def _uncorrected(_: Any, rough: Any) -> Any:
    return rough


def _always(value: object) -> Callable[..., Any]:
    return lambda *_, **__: value


def _never_clipped(tint: Any, light: Any) -> Any:
    return np.tile(tint, (len(light), 1))


def _no_squares(_: Any, judged: Any, *__: Any) -> Any:
    return np.zeros(len(judged.covered), np.bool_)


def _one_group(shapes: Any, most: int) -> Any:
    members, ones = np.exp(tiles(shapes)) > 0.5, np.ones(len(shapes.classes))
    count = min(most, int(members.any()))
    return TileGroups(members, ones, np.ones((len(ones), count)), np.zeros((count, count)))


_NAMED, _JUDGE = "vision.squares.judgement.named", "vision.reader.judge"

PARTS: Final = {
    "place by shapes": Part(
        "corners are corrected by the network's offsets",
        (
            "vision.detection.board_detector.fit_squares",
            "vision.detection.board_pose.fit_squares",
            "vision.detection.markerless.fit_squares",
        ),
        _uncorrected,
    ),
    "groups": Part(
        "squares are grouped by the places of their colours",
        ("vision.squares.judgement.grouped",),
        _one_group,
    ),
    "sharper groups": Part(
        "the middles of groups are known better than the place of a tile",
        ("vision.squares.tile_groups._BETWEEN",),
        1.0,
        _JUDGE,
    ),
    "own tints": Part(
        "a tile's own tint counts beside the colour of its group",
        ("vision.squares.tile_colours._OWN",),
        0.0,
        _NAMED,
    ),
    "contrast": Part(
        "evidence is believed less where tiles are like the bare board",
        ("vision.squares.judgement._ALIKE",),
        1.0,
        _JUDGE,
    ),
    "tint of bare squares": Part(
        "a square with the tint of bare ones is rather bare",
        ("vision.squares.judgement._TINT",),
        0.0,
        _JUDGE,
    ),
    "group beside class": Part(
        "a square is rather a tile if it has the colour of a group",
        ("vision.squares.judgement._BESIDE_CLASS",),
        0.0,
        _JUDGE,
    ),
    "squares between": Part(
        "squares that a piece covers in part are left open",
        ("vision.squares.judgement._OPEN",),
        [OUTSIDE],
        _JUDGE,
    ),
    "colour of the light": Part(
        "tints are compared as bare squares show the light",
        ("vision.squares.tile_colours._SHARES",),
        (0.0,),
        _NAMED,
    ),
    "overexposed tints": Part(
        "bright tiles are compared with clipped tints",
        ("vision.squares.tile_colours.overexposed",),
        _never_clipped,
    ),
    "colours as before": Part(
        "tiles are likely to keep their colours from frame to frame",
        ("vision.squares.tile_colours._AS_BEFORE",),
        0.0,
        _NAMED,
    ),
    "doubted edition": Part(
        "colours are left open while the edition is not sure",
        ("vision.squares.judgement._SURE", "vision.squares.judgement._SURE_OF_FEW"),
        0.0,
        _JUDGE,
    ),
    "explained edition": Part(
        "colours are left open if the edition does not explain all tiles",
        ("vision.squares.tile_colours._EXPLAINED",),
        -np.inf,
        _NAMED,
    ),
    "one grey colour": Part(
        "colours are left open while all tiles are of one grey and few",
        ("vision.squares.judgement._SURE_ALONE",),
        0.0,
        _JUDGE,
    ),
    "pieces as a whole": Part(
        "squares of a piece are left open if it is doubtful as a whole",
        ("firmware.referee.still_photo.doubtful_pieces",),
        _always(frozenset()),
    ),
    "disturbed squares": Part(
        "squares beside lit ones are left open if they seem to have changed",
        ("vision.reader.Reader._disturbed",),
        _no_squares,
    ),
    "changed light": Part(
        "squares that seem to change at once are not trusted",
        ("vision.reader.Reader._recoloured",),
        _no_squares,
    ),
    "a second look": Part(
        "squares that are covered or open are looked at again",
        ("vision.reader.Reader._looked_at_again",),
        _no_squares,
    ),
    "frame before a rest": Part(
        "a frame from before an object rested is remembered",
        ("vision.reader._REMEMBERED_S",),
        0.0,
    ),
    "resting objects": Part(
        "of an object at rest only what the network sees covered is unknown",
        ("vision.detection.change_detection.Stillness.lasts_s",),
        _always(value=0.0),
    ),
    "even squares": Part(
        "a grid beside the squares of some part is not the board",
        ("vision.detection.board_pose._holds",),
        _always(value=True),
    ),
    "hopeless pictures": Part(
        "pictures without a board are not searched",
        ("vision.detection.board_detector.hopeless",),
        _always(None),
    ),
}
"""The parts by name."""


@contextmanager
def without(name: str) -> Iterator[None]:
    """Switches a part off; none if it is not one of `PARTS`."""
    part = PARTS.get(name)
    with ExitStack() as stack:
        for place in () if part is None else part.places:
            target, attribute = target_of(place)
            stack.enter_context(patch.object(target, attribute, part and part.instead))
        yield


@contextmanager
def observed() -> Iterator[set[str]]:
    """Yields the names of the parts that act, which grows while pictures are read.

    A part acts if it returns anything else than what stands in its place would, or if a constant
    changes what the function returns for which it counts. A picture on which a part does not act is
    read to the same result without it.
    """
    acting = {name for name, part in PARTS.items() if not (callable(part.instead) or part.within)}
    with ExitStack() as stack:
        for name, part in PARTS.items():
            for place in part.places if callable(part.instead) else ():
                target, attribute = target_of(place)
                spy = _spy(name, getattr(target, attribute), part.instead, acting)
                stack.enter_context(patch.object(target, attribute, spy))
        for place in {part.within for part in PARTS.values()} - {""}:
            target, attribute = target_of(place)
            names = {name for name, part in PARTS.items() if part.within == place}
            spy = _comparing(names, getattr(target, attribute), acting)
            stack.enter_context(patch.object(target, attribute, spy))
        yield acting


def _comparing(names: set[str], original: Callable[..., Any], acting: set[str]) -> Any:
    """Returns a function that also calls the original without each of some constants."""

    def call(*values: Any, **named: Any) -> Any:
        result = original(*values, **named)
        for name in sorted(names - acting):
            with without(name):
                other = original(*values, **named)
            if not _is_same(result, other):
                acting.add(name)
        return result

    return call


def _spy(
    name: str, original: Callable[..., Any], instead: Callable[..., Any], acting: set[str]
) -> Callable[..., Any]:
    def call(*values: Any, **named: Any) -> Any:
        other = None if name in acting else instead(*values, **named)
        result = original(*values, **named)
        if name not in acting and not _is_same(result, other):
            acting.add(name)
        return result

    return call


def _is_same(one: Any, other: Any) -> bool:
    """True if two results have equal numbers."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return _are_same_arrays(np.asarray(one), np.asarray(other))
    if type(one) is not type(other):
        return False
    if is_dataclass(one):
        return all(_is_same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return bool(one == other)


def _are_same_arrays(one: NDArray[Any], other: NDArray[Any]) -> bool:
    if object in (one.dtype, other.dtype) or one.shape != other.shape:
        return False
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f" == other.dtype.kind)


def target_of(place: str) -> tuple[Any, str]:
    """Returns the module or the class that has an attribute, and the attribute's name."""
    home, attribute = place.rsplit(".", 1)
    try:
        return import_module(home), attribute
    except ModuleNotFoundError:
        module, name = home.rsplit(".", 1)
        return getattr(import_module(module), name), attribute
