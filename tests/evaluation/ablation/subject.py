"""Pictures and recordings to read: the fixed subset, or all."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from tests.evaluation.ablation.rows import Counts
from tests.evaluation.recorded import CHANGES, counted, watched
from tests.evaluation.variations import VariationSample, judged, ruins, samples_of, varied
from vision.geometry.grid import rescaled
from vision.geometry.image_scale import shrunk

SUBSET: Final = Path(__file__).with_name("subset.txt")
"""Names of the subjects of the fixed subset, one a line."""

_RECORDINGS: Final = ("game", "game-black-white")

_STILL_WAYS: Final = ("plain", "varied", "ruined", "bare", "cut")
"""Ways in which a picture is changed; see `tests.evaluation.variations`."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A picture, or a recording, in one of the ways in which it is changed.

    Attributes:
        name: name of the picture and the way, as in `SUBSET`.
        way: the way.
        picture: the picture; None for a recording.
        folder: the folder of a recording.
    """

    name: str
    way: str
    picture: VariationSample | None
    folder: Path


def subjects(data: Path, *, whole: bool) -> list[Subject]:
    """Returns the subjects in a folder of data.

    Args:
        data: folder with `photos`, `renders` and recordings.
        whole: True for all, False for those of the fixed subset.
    """
    found = [
        Subject(f"{way} {kind}/{picture.name}", way, picture, data)
        for kind, picture in samples_of(data)
        for way in _STILL_WAYS
    ]
    found += [
        Subject(f"{way}: {name}", way, None, data / name)
        for name in _RECORDINGS
        for way in CHANGES
        if (data / name).is_dir()
    ]
    if whole:
        return found
    names = set(SUBSET.read_text(encoding="utf-8").splitlines())
    return [subject for subject in found if subject.name in names]


def measured(subject: Subject) -> Counts:
    """Reads a subject; a board that is not found leaves all its squares open."""
    begun = time.process_time()
    if subject.picture is None:
        result = watched(subject.folder, CHANGES[subject.way])
        took = time.process_time() - begun
        counts = counted(subject.folder, result.readings)
        wrong = counts["settled wrong"] + counts["hand wrong"]
        return wrong, counts["settled open"] + counts["hand open"], round(took, 3)
    picture = _taken(subject.picture, subject.way, subject.name)
    counts = judged(picture)
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
