"""Constants of the reader, replaced while pictures are read."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np


@contextmanager
def replaced(place: str, value: object) -> Iterator[None]:
    """Replaces a constant in its module and in those that import it.

    Args:
        place: dotted name, as `vision.squares.judgement._ALIKE`.
        value: value that stands there instead.
    """
    home, name = place.rsplit(".", 1)
    with ExitStack() as stack:
        for module in _modules_with(import_module(home), name):
            stack.enter_context(patch.object(module, name, value))
        yield


@contextmanager
def multiplied(text: str) -> Iterator[None]:
    """Multiplies a constant, given as `MODULE.NAME=FACTOR`."""
    place, factor = text.split("=")
    home, name = place.rsplit(".", 1)
    with replaced(place, np.asarray(getattr(import_module(home), name)) * float(factor)):
        yield


def place_of(entry: str) -> str:
    """Returns the dotted name of the constant of an entry of the table of fitted constants."""
    home, name = f"vision.{entry}".rsplit(".", 1)
    public = name.upper()
    return f"{home}.{public}" if hasattr(import_module(home), public) else f"{home}._{public}"


def _modules_with(home: ModuleType, name: str) -> list[ModuleType]:
    """Returns the modules that hold a constant; a private one is held by its own alone."""
    if name.startswith("_"):
        return [home]
    value: Any = getattr(home, name)
    within = [module for place, module in sys.modules.items() if place.startswith("vision.")]
    return [module for module in within if vars(module).get(name) is value]
