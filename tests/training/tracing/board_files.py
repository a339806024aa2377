"""Files of traced boards: a picture and its truth."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.training.tracing.setting import TracedScene
from vision.camera import Image


def name_of(seed: int, number: int) -> str:
    """Returns the name of a board, by its seed and number."""
    return f"traced-{seed:03}-{number:05}"


def keep(folder: Path, name: str, image: Image, truth: dict[str, Any], quality: int) -> None:
    """Writes a picture, then its truth, whose existence marks a complete board.

    Args:
        folder: folder of the files.
        name: name of the files, without their suffixes.
        image: (side, side, 3) uint8.
        truth: truth of the picture.
        quality: quality of the JPEG, up to 100.
    """
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    (folder / f"{name}.jpg").write_bytes(coded.tobytes())
    unfinished = folder / f".{name}.json"
    unfinished.write_text(json.dumps(truth), encoding="utf-8")
    unfinished.replace(folder / f"{name}.json")


def truth_of(scene: TracedScene) -> dict[str, Any]:
    """Returns the truth of a scene, in the format of `tests.training.shapes.boards.traced`."""
    finish = scene.look.tile_finish
    return {
        "corners": scene.eye.project(scene.corners).round(3).tolist(),
        "shapes": scene.shapes.tolist(),
        "colours": scene.colours.tolist(),
        "pieces": scene.piece_numbers.tolist(),
        "whole": len(scene.colours) == scene.board.size,
        "board_albedo": _numbers(scene.look.board),
        "tile_albedos": _numbers(scene.look.tiles),
        "lines": scene.board.lines,
        "roughness": round(finish.roughness, 3),
        "through": round(finish.through, 3),
    }


def _numbers(values: NDArray[np.float64]) -> Any:
    return values.round(4).tolist()
