"""The path-traced picture of each build, `whole.jpg` in its folder."""

from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np

from hardware.drawings.files import BUILDS
from hardware.renders.framing import framed

_VIEWS: Final = {
    "twenty_minutes": (8.0, 33.0),
    "club_table": (14.0, 30.0),
    "glowing_board": (-16.0, 30.0),
}
"""Angles in degrees from which the picture of each build is taken, see `framed`."""


def write(folder: Path, samples: int = 256) -> None:
    """Writes the pictures of all builds: a minute each on one core, with LLVM.

    Args:
        folder: the folder of the builds.
        samples: paths a pixel.
    """
    tracer = import_module("hardware.renders.tracer")
    for name, (turn_deg, tilt_deg) in _VIEWS.items():
        drawing = BUILDS[name]()["whole"]
        points = np.concatenate([solid.triangles for solid, _ in drawing.bodies]).reshape(-1, 3)
        viewpoint = framed(points, turn_deg, tilt_deg)
        tracer.render(drawing, viewpoint, folder / name / "whole.jpg", samples=samples)


def differences(folder: Path) -> list[str]:
    """Returns a sentence for each picture that is missing; people look at the others."""
    paths = (folder / name / "whole.jpg" for name in _VIEWS)
    return [f"{path} is missing" for path in paths if not path.exists()]
