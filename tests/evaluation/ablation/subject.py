"""Pictures and recordings to read: the fixed subset, or all."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final

import numpy as np

from firmware.rules.variants import Edition
from tests.evaluation.ablation.rows import Counts
from tests.evaluation.confidence import given_edition, rendered
from tests.evaluation.recorded import CHANGES, counted, watched
from tests.evaluation.variations import (
    VariationSample,
    judged,
    ruins,
    sample,
    truths_of,
    varied,
)
from vision.geometry.grid import rescaled
from vision.geometry.image_scale import shrunk

SUBSET: Final = Path(__file__).with_name("subset.txt")
"""Names of the subjects of the fixed subset, one a line."""

_RECORDINGS: Final = ("game", "game-black-white")

_STILL_WAYS: Final = ("plain", "varied", "ruined", "bare", "cut")
"""Ways in which a picture is changed; see `tests.evaluation.variations`."""

_MANY: Final = 50
"""Pictures of a kind above which each is changed in one way only."""

FIRST_SEED: Final = 900_001
"""Seed of the first rendered board: the seeds by which thresholds were chosen are lower."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A picture, or a recording, in one of the ways in which it is changed.

    Attributes:
        name: name of the way and of the picture, as in `SUBSET`.
        read: reads it, and returns the results.
    """

    name: str
    read: Callable[[], Counts]


def subjects(folders: Sequence[Path], boards: int, *, whole: bool) -> list[Subject]:
    """Returns the subjects in folders of data, and boards that are drawn by seed.

    Args:
        folders: folders with `photos`, `renders` and recordings.
        boards: number of boards to draw.
        whole: True for all, False for those of the fixed subset.
    """
    found: list[Subject] = []
    for folder in folders:
        found += [Subject(name, partial(_still, take)) for name, take in stills(folder)]
        found += _recordings(folder)
    if not whole:
        found = [subject for subject in found if subject.name in subset()]
    seeds = range(FIRST_SEED, FIRST_SEED + boards)
    return found + [Subject(f"rendered {seed}", partial(_drawn, seed)) for seed in seeds]


def board_of(name: str) -> str:
    """Returns the kind and name of the picture in the name of a subject, without the way."""
    return name.partition(" ")[2]


@cache
def subset() -> frozenset[str]:
    """Returns the names of the fixed subset."""
    return frozenset(SUBSET.read_text(encoding="utf-8").splitlines())


def stills(folder: Path) -> Iterator[tuple[str, Callable[[], VariationSample]]]:
    """Yields the pictures of a folder in their ways: the name, and a function that makes it."""
    files = list(truths_of(folder))
    number_of = Counter(kind for kind, _ in files)
    for number, (kind, path) in enumerate(files):
        few = number_of[kind] <= _MANY
        for way in _STILL_WAYS if few else [_STILL_WAYS[number % len(_STILL_WAYS)]]:
            name = f"{way} {kind}/{path.stem}"
            yield name, partial(_made, kind, path, way, name)


def _recordings(folder: Path) -> Iterator[Subject]:
    for name in _RECORDINGS:
        if (folder / name).is_dir():
            for way in CHANGES:
                yield Subject(f"{way}: {name}", partial(_recording, folder / name, way))


def _recording(folder: Path, way: str) -> Counts:
    begun = time.process_time()
    result = watched(folder, CHANGES[way])
    took = time.process_time() - begun
    counts = counted(folder, result.readings)
    wrong = counts["settled wrong"] + counts["hand wrong"]
    return wrong, counts["settled open"] + counts["hand open"], round(took, 3)


def _made(kind: str, path: Path, way: str, name: str) -> VariationSample:
    return _taken(sample(kind, path), way, name)


def _still(take: Callable[[], VariationSample]) -> Counts:
    return counts_of(take(), None)


def _drawn(seed: int) -> Counts:
    picture = rendered(seed)
    return counts_of(picture, given_edition(picture))


def counts_of(picture: VariationSample, edition: Edition | None) -> Counts:
    """Reads a picture; a board that is not found leaves all its squares open."""
    counts = judged(picture, edition)
    everything = int(picture.counts.sum())
    if counts["lost"]:
        return 0, everything, counts["ms"] / 1000
    if counts["elsewhere"]:
        return counts["astray_wrong"], everything, counts["ms"] / 1000
    return counts["wrong"], counts["unsure"], counts["ms"] / 1000


def _taken(picture: VariationSample, way: str, name: str) -> VariationSample:
    """Returns the picture changed in a way, by chances that depend on the name alone."""
    chance = np.random.default_rng(list(name.encode()))
    if way == "plain":
        return picture
    if way == "varied":
        return _bounded(varied(picture, chance))
    return ruins(picture, chance, bare=way == "bare", cut=way == "cut")


def _bounded(picture: VariationSample, longest: int = 1600) -> VariationSample:
    """Returns a picture that is not larger than most cameras', so that a row stays short."""
    side = max(picture.image.shape[:2])
    if side <= longest:
        return picture
    image, share = shrunk(picture.image, longest)
    corners = rescaled(picture.corners, share)
    return VariationSample(picture.name, image, corners, picture.cells, picture.counts)
