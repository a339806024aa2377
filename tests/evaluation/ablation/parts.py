"""The parts of the reader, and what stands in the place of each when it is switched off."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from vision.classification.occlusion import covered_odds
from vision.classification.single_frame import judge_alone
from vision.features.square_features import SquareFeatures
from vision.shape.network import COLUMNS


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the reader.

    Attributes:
        effect: the effect that it is meant to have.
        places: dotted names by which it is called.
        instead: object that stands there when it is switched off.
    """

    effect: str
    places: tuple[str, ...]
    instead: Any


def _first(first: Any, *_: Any, **__: Any) -> Any:
    return first


def _second(_: Any, second: Any, *__: Any, **___: Any) -> Any:
    return second


def _always(value: object) -> Callable[..., Any]:
    return lambda *_, **__: value


def _no_squares(first: Any, *_: Any, **__: Any) -> Any:
    return np.zeros(len(first), np.bool_)


def _none_hidden(observed: SquareFeatures) -> Any:
    return np.zeros(len(observed.hidden), np.bool_)


def _no_shapes(_: Any, grid: Any, *__: Any) -> Any:
    return np.zeros((grid.size**2, COLUMNS), np.float32)


def _even_light(features: Any, weights: Any, *_: Any) -> Any:
    return np.tile([0.0, 0.0, 1.0], (*weights.shape[:-1], len(features), 1))


def _by_shapes_alone(_: Any, shaped: Any, lines: Any, size: Any, palette: Any) -> Any:
    return judge_alone(shaped, lines, size, palette), shaped


def _without_lines(_: Any, strangeness: Any, size: Any) -> Any:
    return covered_odds(None, strangeness, size)


_CLASSIFICATION: Final = "vision.classification."

PARTS: Final = {
    "shapes": Part("tiles are told by their shape", ("vision.reader.reliefs",), _no_shapes),
    "place by shapes": Part(
        "corners are corrected by the network's offsets",
        (
            "vision.detection.board_detector.refined_by_shapes",
            "vision.tracking.board_pose.refined_by_shapes",
        ),
        _second,
    ),
    "colours against shapes": Part(
        "a picture is judged without shapes too, and the likelier result counts",
        ("vision.reader.judge_by_both",),
        _by_shapes_alone,
    ),
    "disputed squares": Part(
        "squares on which the two results differ are left open",
        (_CLASSIFICATION + "single_frame._less_sure",),
        _first,
    ),
    "contrary shapes": Part(
        "squares whose shape contradicts their colour are left open",
        ("vision.reader.agreed",),
        _first,
    ),
    "mirrored lamps": Part(
        "squares under a mirrored lamp are left open", ("vision.reader.doubting_mirrored",), _first
    ),
    "overhang": Part(
        "squares that a neighbour's piece overhangs are empty",
        (_CLASSIFICATION + "subsquare.emptied",),
        _first,
    ),
    "partial cover": Part(
        "squares that a piece covers in part are left open",
        (_CLASSIFICATION + "subsquare.doubting_parts",),
        _first,
    ),
    "tiles against their parts": Part(
        "squares bare by their parts but with the shape of a tile are left open",
        ("vision.reader.less_sure_of_tiles",),
        _first,
    ),
    "soft edges": Part(
        "greys whose edges fade like a shadow's are doubted",
        (_CLASSIFICATION + "colour_classifier.faded",),
        _no_squares,
    ),
    "doubt of greys": Part(
        "greys count by how well lightness tells them apart",
        (_CLASSIFICATION + "colour_classifier._weighed_by_light",),
        _first,
    ),
    "overexposed colours": Part(
        "tints of overexposed plastic are tried",
        (_CLASSIFICATION + "colour_fit._burnt",),
        _always(None),
    ),
    "uneven light": Part(
        "empty squares may be lit unevenly", (_CLASSIFICATION + "colour_fit._light",), _even_light
    ),
    "edition by tiles": Part(
        "the edition is chosen by the tints of sure tiles",
        (_CLASSIFICATION + "colour_classifier.edition_evidence",),
        _always(None),
    ),
    "doubted edition": Part(
        "colours are left open while the edition is not sure",
        (_CLASSIFICATION + "single_frame.doubted", "vision.reader.doubted"),
        _first,
    ),
    "one grey for both": Part(
        "tiles of one grey that differ much in lightness are left open",
        (_CLASSIFICATION + "single_frame._is_one_for_both",),
        _always(value=False),
    ),
    "cover by lines": Part(
        "squares without lines around them are under something",
        (_CLASSIFICATION + "single_frame.covered_odds",),
        _without_lines,
    ),
    "lone objects": Part(
        "an object covers several squares",
        (_CLASSIFICATION + "single_frame.near_large",),
        lambda covered, _: np.ones(len(covered), np.bool_),
    ),
    "rounds": Part(
        "colours are learned again from the squares that turn out to be free",
        (_CLASSIFICATION + "single_frame._ROUNDS",),
        1,
    ),
    "overexposed white": Part(
        "overexposed squares with the shape of a light tile are white",
        ("vision.reader.burnt_tiles",),
        _none_hidden,
    ),
    "brightening": Part(
        "dark pictures are brightened",
        ("vision.reader.exposed", "vision.features.frame_features.exposed"),
        _first,
    ),
    "blur": Part(
        "shapes count less in a blurred picture",
        ("vision.reader.is_smeared",),
        _always(value=False),
    ),
    "lines go on": Part(
        "a grid whose lines go on beyond its border is not the board",
        (
            "vision.detection.board_detector.lines_continue",
            "vision.detection.markerless.lines_continue",
        ),
        _always(value=True),
    ),
    "hopeless pictures": Part(
        "pictures without a board are not searched",
        ("vision.detection.board_detector.hopeless",),
        _always(None),
    ),
    "known tiles": Part(
        "tiles under a mirrored lamp are remembered",
        ("vision.tracking.known_tiles.KnownTiles.unchanged",),
        lambda known, _: np.zeros(len(known.squares), np.bool_),
    ),
    "resting objects": Part(
        "a frame with an object at rest is judged by itself",
        ("vision.tracking.stillness.Stillness.is_over",),
        _always(value=False),
    ),
    "colour of the light": Part(
        "learned colours follow a change of the light's colour",
        ("vision.reader.cast_between",),
        _always((1.0, 1.0)),
    ),
    "changed light": Part(
        "squares that seem to change at once are not trusted",
        ("vision.reader.Reader._recoloured",),
        lambda _, __, posteriors, *___, **____: np.zeros(len(posteriors.evidence), np.bool_),
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

    A part acts if it returns anything else than what stands in its place would. A picture on which
    a part does not act is read to the same result without it. Parts that are constants always act.
    """
    acting = {name for name, part in PARTS.items() if not callable(part.instead)}
    with ExitStack() as stack:
        for name, part in PARTS.items():
            for place in part.places if callable(part.instead) else ():
                target, attribute = target_of(place)
                spy = _spy(name, getattr(target, attribute), part.instead, acting)
                stack.enter_context(patch.object(target, attribute, spy))
        yield acting


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
