"""The path-traced picture of each build, `whole.jpg` in its folder."""

from pathlib import Path
from typing import Final

import numpy as np

from hardware.drawings import club_table, glowing_board, twenty_minutes
from hardware.renders.framing import framed
from hardware.renders.tracer import render

_VIEWS: Final = {
    "twenty_minutes": (twenty_minutes, 8.0, 33.0),
    "club_table": (club_table, 14.0, 30.0),
    "glowing_board": (glowing_board, -16.0, 30.0),
}
"""Drawings of each build, and from where its picture is taken, see `framed`."""


def write(folder: Path, samples: int = 256) -> None:
    """Writes the pictures of all builds; a minute or more each.

    Args:
        folder: the folder of the builds.
        samples: paths a pixel.
    """
    for name, (module, turn_deg, tilt_deg) in _VIEWS.items():
        drawing = module.pictures()["whole"]
        points = np.concatenate([solid.triangles for solid, _ in drawing.bodies]).reshape(-1, 3)
        viewpoint = framed(points, turn_deg, tilt_deg)
        render(drawing, viewpoint, folder / name / "whole.jpg", samples=samples)
