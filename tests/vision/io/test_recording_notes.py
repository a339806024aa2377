"""Lists beside the pictures of a recording."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from vision.camera import UPRIGHT, CameraOrientation
from vision.errors import SourceError
from vision.io.recording_notes import LIT, ORIENTATIONS, STUCK, TIMES, RecordingNotes, words_of

NAMES = {f"{letter}.jpg" for letter in "abcde"}


def test_a_folder_without_lists_has_upright_dark_pictures(tmp_path: Path) -> None:
    notes = RecordingNotes(tmp_path, NAMES)
    assert notes.time_s("a.jpg") is None
    assert notes.lit("a.jpg") == notes.stuck("a.jpg") == frozenset()
    assert notes.orientation("a.jpg") == UPRIGHT


def test_the_same_squares_again_are_one_word(tmp_path: Path) -> None:
    (tmp_path / LIT).write_text("a.jpg 1 2\nb.jpg same\nd.jpg 5\ne.jpg same\n")
    (tmp_path / STUCK).write_text("b.jpg 2\n")
    notes = RecordingNotes(tmp_path, NAMES)
    lit = [notes.lit(f"{name}.jpg") for name in "abcde"]
    assert lit == [{1, 2}, {1, 2}, frozenset(), {5}, {5}]
    assert notes.stuck("b.jpg") == {2}


def test_a_byte_order_mark_and_windows_line_ends_are_skipped(tmp_path: Path) -> None:
    (tmp_path / LIT).write_bytes(b"\xef\xbb\xbfa.jpg 1 2\r\nb.jpg same\r\n")
    notes = RecordingNotes(tmp_path, NAMES)
    assert notes.lit("a.jpg") == notes.lit("b.jpg") == {1, 2}


def test_times_can_be_ignored(tmp_path: Path) -> None:
    (tmp_path / TIMES).write_text("a.jpg 2.5\n")
    assert RecordingNotes(tmp_path, NAMES).time_s("a.jpg") == 2.5
    assert RecordingNotes(tmp_path, NAMES, timed=False).time_s("a.jpg") is None


@pytest.mark.parametrize(
    "orientation",
    [CameraOrientation(turn=turn, mirror=m) for turn in (0, 90) for m in (False, True)],
)
def test_an_orientation_is_read_as_it_was_written(
    tmp_path: Path, orientation: CameraOrientation
) -> None:
    (tmp_path / ORIENTATIONS).write_text(" ".join(("a.jpg", *words_of(orientation))))
    assert RecordingNotes(tmp_path, NAMES).orientation("a.jpg") == orientation


def test_a_picture_is_mirrored_and_then_turned_clockwise() -> None:
    image = np.zeros((2, 3, 3), np.uint8)
    image[0, 0] = 9
    corner = {
        orientation: np.argwhere(orientation.upright(image)[..., 0] == 9).tolist()
        for orientation in (
            UPRIGHT,
            CameraOrientation(turn=90),
            CameraOrientation(turn=180),
            CameraOrientation(turn=90, mirror=True),
        )
    }
    assert list(corner.values()) == [[[0, 0]], [[0, 1]], [[1, 2]], [[2, 1]]]
    assert CameraOrientation(turn=90).upright(image).shape == (3, 2, 3)
    with pytest.raises(ValueError, match="not 45"):
        CameraOrientation(turn=45)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (LIT, "a.jpg some\n", "lit squares look like pieces"),
        (STUCK, "a.jpg some\n", "lit squares look like pieces"),
        (ORIENTATIONS, "a.jpg 45\n", "copy the recording again"),
        (ORIENTATIONS, "a.jpg 90 upside-down\n", "copy the recording again"),
        (ORIENTATIONS, "a.jpg\n", "copy the recording again"),
        (TIMES, "a.jpg nan\n", "give --fps instead"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(
    tmp_path: Path, name: str, text: str, words: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(SourceError, match=words):
        RecordingNotes(tmp_path, NAMES)


@pytest.mark.parametrize(
    ("name", "row"), [(TIMES, "%x.jpg 1\n"), (LIT, "%x.jpg 1 2\n"), (ORIENTATIONS, "%x.jpg 0\n")]
)
def test_what_a_list_tells_of_pictures_that_nobody_has_takes_no_memory(
    tmp_path: Path, name: str, row: str
) -> None:
    rows = "".join(row % (number + 0xB00000) for number in range(100_000))
    (tmp_path / name).write_text(f"{rows}{row % 0xA}")
    notes = RecordingNotes(tmp_path, NAMES)
    assert len(pickle.dumps(notes)) < 1000
    told = {
        TIMES: notes.time_s("a.jpg") == 1.0,
        LIT: notes.lit("a.jpg") == {1, 2},
        ORIENTATIONS: notes.orientation("a.jpg") == UPRIGHT,
    }
    assert told[name]


def test_a_line_longer_than_all_squares_is_refused(tmp_path: Path) -> None:
    every = " ".join(map(str, range(400)))
    (tmp_path / LIT).write_text(f"a.jpg {every}\n")
    assert len(RecordingNotes(tmp_path, NAMES).lit("a.jpg")) == 400
    (tmp_path / LIT).write_text(f"a.jpg {every} {every} {every}\n")
    with pytest.raises(SourceError, match="lit squares look like pieces"):
        RecordingNotes(tmp_path, NAMES)
