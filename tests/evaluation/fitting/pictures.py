"""Pictures that constants are fitted to, and their readings with other constants."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from tests.evaluation.ablation.rows import Counts
from tests.evaluation.ablation.subject import board_of, counts_of, stills, subset
from tests.evaluation.confidence import given_edition, rendered
from tests.evaluation.constants import place_of, replaced
from tests.evaluation.variations import VariationSample
from vision import reader

MOST: Final = 40
"""Pictures of a kind that are used, the first ones, so that the others stay unseen."""

_FIRST_SEED: Final = 950_001
"""Seed of the first board that is drawn; other trials draw theirs by lower ones."""

_SQUARES: Final = "squares."

_STAGES: Final = ("locate", "frame_features_of", "shapes_of")
"""Functions of the reader that find and measure a board, before squares are classified."""


def kind_of(name: str) -> str:
    """Returns the kind of a picture, as in the name of its way and board."""
    return board_of(name).split("/", maxsplit=1)[0]


def chosen(folders: Sequence[Path], boards: int = 0) -> dict[str, Callable[[], VariationSample]]:
    """Returns the pictures to use, by name.

    They are the photographs in all ways, the pictures of the fixed subset of `ablation`, the first
    ones of other kinds, and boards that are drawn by seed.

    Args:
        folders: folders of data.
        boards: number of boards to draw.
    """
    pictures: dict[str, Callable[[], VariationSample]] = {}
    known = {kind_of(name) for name in subset() if "/" in name}
    used: Counter[str] = Counter()
    for name, take in (one for folder in folders for one in stills(folder)):
        kind = kind_of(name)
        if kind == "photos" or name in subset() or (kind not in known and used[kind] < MOST):
            pictures[name] = take
            used[kind] += 1
    seeds = range(_FIRST_SEED, _FIRST_SEED + boards)
    return pictures | {f"plain rendered/{seed}": partial(rendered, seed) for seed in seeds}


def sources(folders: Sequence[Path]) -> dict[str, str]:
    """Returns the source of each photograph, which is that of a table and a camera."""
    return {
        f"photos/{path.stem}": json.loads(path.read_text(encoding="utf-8"))["source"]
        for folder in folders
        for path in sorted((folder / "photos").glob("*.json"))
    }


class MeasuredPicture:
    """A picture on which the board is found and measured once, so that reading it again is quick.

    Args:
        take: makes the picture.
    """

    def __init__(self, take: Callable[[], VariationSample]) -> None:
        self._take: Final = take
        self._picture: VariationSample | None = None
        self._measured: Final[dict[str, Any]] = {}

    def counts(self, settings: Mapping[str, float]) -> Counts:
        """Reads the picture with other values of some constants, by their names."""
        if self._picture is None:
            self._picture = self._take()
        with ExitStack() as stack:
            for name, value in settings.items():
                stack.enter_context(replaced(place_of(name), value))
            if all(name.startswith(_SQUARES) for name in settings):
                for stage in _STAGES:
                    stack.enter_context(patch.object(reader, stage, self._once(stage)))
            return counts_of(self._picture, given_edition(self._picture))

    def _once(self, stage: str) -> Callable[..., Any]:
        original = getattr(reader, stage)

        def call(*values: Any, **named: Any) -> Any:
            if stage not in self._measured:
                self._measured[stage] = original(*values, **named)
            return self._measured[stage]

        return call


def read_with(
    pictures: Mapping[str, Callable[[], VariationSample]],
) -> Callable[[str, Mapping[str, float]], Counts]:
    """Returns a function that reads a picture, by name, with other values of some constants."""
    measured = {name: MeasuredPicture(take) for name, take in pictures.items()}
    return lambda name, settings: measured[name].counts(settings)
