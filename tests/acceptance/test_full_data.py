"""The full sets of pictures, if they are available."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluation import recorded
from tests.support.reading_scores import NAMED, hidden, named, rows, score
from vision.camera import Image
from vision.errors import BoardFailure
from vision.io.image_file import load_picture
from vision.io.recorded import FolderCamera
from vision.reader import Reader, read_picture
from vision.reading import Reading


def pictures(folder: Path) -> Iterator[tuple[str, Image, dict[str, Any]]]:
    for path in sorted(folder.glob("*.json")):
        image = next(p for p in folder.glob(f"{path.stem}.*") if p.suffix != ".json")
        yield path.stem, load_picture(image), json.loads(path.read_text(encoding="utf-8"))


def edition_cells(truth: dict[str, Any]) -> list[str]:
    edition = truth["edition"]
    return named(truth["cells"], edition["A"]["name"], edition["B"]["name"])


@pytest.mark.parametrize("known", ["markers", "corners"])
def test_boards_with_markers_are_read_exactly(further_data: Path, known: str) -> None:
    for name, image, truth in pictures(further_data / "renders" / "markers"):
        corners = truth["grid_corners_px"] if known == "corners" else None
        reading = read_picture(image, corners=corners)
        assert isinstance(reading, Reading), f"{name}: {reading.reason}"
        assert rows(reading) == edition_cells(truth), name
        assert np.abs(reading.corners - truth["grid_corners_px"]).max() < 6, name


def test_hard_pictures_are_read_right_or_honestly_not_at_all(further_data: Path) -> None:
    for name, image, truth in pictures(further_data / "renders" / "hard"):
        if not truth["flags"]["markers"]:
            continue
        reading = read_picture(image)
        if isinstance(reading, BoardFailure):
            continue
        ignored = hidden(14, truth["occluded_cells"])
        assert score(reading, edition_cells(truth), ignored).wrong == 0, name


def test_photographs_are_read_from_their_corners(further_data: Path) -> None:
    wrong = unsure = 0
    for _, image, truth in pictures(further_data / "photos"):
        reading = read_picture(image, 20, corners=truth["corners"])
        assert isinstance(reading, Reading)
        ignored = np.zeros((20, 20), bool)
        for row, column in truth.get("paper_cells", []) + truth.get("ignore_cells", []):
            ignored[row, column] = True
        result = score(reading, truth["cells"], ignored)
        wrong, unsure = wrong + result.wrong, unsure + result.unsure
    assert wrong == 0
    assert unsure <= 8


def test_each_frame_of_the_game_is_read_by_itself(further_data: Path) -> None:
    events = json.loads((further_data / "game" / "events.json").read_text(encoding="utf-8"))
    unsure = under = 0
    for truth in events["frames"]:
        reading = read_picture(load_picture(further_data / "game" / truth["file"]))
        assert isinstance(reading, Reading), truth["file"]
        cells = named(truth["cells_physical"], "purple", "orange")
        occluded = hidden(14, truth["occluded_cells"])
        result = score(reading, cells, occluded, NAMED)
        assert result.wrong == 0, truth["file"]
        unsure += result.unsure
        under += score(reading, cells, ~occluded, NAMED).wrong
        if truth["state"] == "settled":
            assert rows(reading, NAMED) == cells, truth["file"]
    # Beside the hand: 62 of 3,093 squares that are seen in 20 frames.
    assert unsure <= 70
    assert under <= 20


def test_the_recorded_game_is_followed(further_data: Path) -> None:
    events = json.loads((further_data / "game" / "events.json").read_text(encoding="utf-8"))
    camera, reader, bumps = FolderCamera(further_data / "game"), Reader(14), []
    for truth in events["frames"]:
        frame = camera.read()
        assert frame is not None
        reading = reader.read(frame)
        assert isinstance(reading, Reading), f"{frame.number}: {reading.reason}"
        assert reading.hand == (truth["state"] == "hand"), frame.number
        cells = named(truth["cells_physical"], "purple", "orange")
        if not reading.hand:
            assert rows(reading) == cells, frame.number
        else:
            ignored = hidden(14, truth["occluded_cells"]) | reading.covered.reshape(14, 14)
            assert score(reading, cells, ignored).wrong == 0, frame.number
        if reading.shift_px:
            bumps.append(frame.number)
    assert bumps == [40]


def test_the_recorded_game_is_decided_in_cold_light(further_data: Path) -> None:
    folder = further_data / "game"
    decided = recorded.watched(folder, recorded.CHANGES["cold"]).decided
    assert recorded.compared(decided, recorded.truth(folder)) == (10, 0, [])
