"""`watch` and `read` as they are typed, on frames of the simulated table."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
import pytest

from firmware.assembly.simulated import SimulationOptions, simulated
from firmware.commands import watch
from firmware.commands.main import main
from firmware.game.events import Event, MoveAccepted, MoveRefused
from firmware.records.record import Record
from firmware.rules.board import Board
from firmware.session import games_by_board
from firmware.settings import Settings
from firmware.simulator.mistakes import Mistake
from firmware.simulator.people import Habits
from firmware.storage.session_recorder import EVENTS
from vision.camera import Frame
from vision.detection.board_detector import locate
from vision.io.image_file import load_picture
from vision.io.recorded import FolderCamera
from vision.io.recording_notes import LIT, ORIENTATIONS, RecordingNotes

pytestmark = pytest.mark.slow

PLIES = 4


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Event]]:
    """A folder of pictures, two a second, of a lit table; and its events."""
    folder = tmp_path_factory.mktemp("recorded")
    events: list[Event] = []
    table = simulated(
        Settings(),
        tmp_path_factory.mktemp("table"),
        SimulationOptions(
            2, autoplay=True, habits=Habits(mistakes={3: Mistake.NO_OWN_CORNER}), save=folder
        ),
        on_event=events.append,
    )
    while table.tracker.referee.state.piece_count < PLIES:
        table.step(0.5, table.clock.now_s)
    for _ in range(2):
        table.step(0.5, table.clock.now_s)
    table.close()
    return folder, events


def lines(capsys: pytest.CaptureFixture[str], *words: str | Path) -> list[dict[str, Any]]:
    assert main([*map(str, words)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_recorded_game_is_refereed(
    recording: tuple[Path, list[Event]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, events = recording
    out, lights = tmp_path / "game.blksgf", tmp_path / "lights"
    entries = lines(capsys, "watch", folder, "--json", "--record", out, "--lights", lights)
    moves = [set(row["cells"]) for row in entries if row["event"] == "move"]
    board = Record.read(out.read_bytes())
    happened = [one for one in events if isinstance(one, MoveAccepted)]
    names = [set(str(one.move).split(",")) for one in happened]
    assert moves[:PLIES] == names[:PLIES]
    refused = [row for row in entries if row["event"] == "illegal"]
    assert len(refused) == sum(isinstance(one, MoveRefused) for one in events) == 1
    assert [reason["rule"] for reason in refused[0]["reasons"]] == ["no-own-corner"]
    assert entries[0]["event"] == "board-found"
    assert entries[-1]["event"] == "summary"
    assert entries[-1]["moves"] == len(moves)
    assert b"CLATTEMPT" in board.write()
    assert len(list(lights.glob("*.png"))) >= PLIES
    assert main(["replay", str(out)]) == 0


def test_what_was_kept_beside_the_frames_is_what_watch_says_again(
    recording: tuple[Path, list[Event]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, events = recording
    recorded = [json.loads(line) for line in (folder / EVENTS).read_text("utf-8").splitlines()]
    assert len(recorded) == len(events)
    entries = lines(capsys, "watch", folder, "--edition", "purple-orange", "--json")[:-1]
    # A game's time begins with its first frame, a recording's before.
    for rows in (recorded, entries):
        begun = rows[0]["time"]
        for row in rows:
            row["time"] = round(row["time"] - begun, 3)
    keys = ("frame", "time", "event", "cells")
    printed = [[row.get(key) for key in keys] for row in entries]
    assert printed == [[row.get(key) for key in keys] for row in recorded]


def test_a_picture_in_the_folder_that_is_broken_is_passed_over(
    recording: tuple[Path, list[Event]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = min(recording[0].glob("*.png")).read_bytes()
    (tmp_path / "1.png").write_bytes(first)
    (tmp_path / "2.png").write_bytes(first[: len(first) // 2])
    (tmp_path / "3.png").write_bytes(first)
    assert main(["watch", str(tmp_path), "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out.splitlines()[-1])["frames"] == 3
    assert "passed over" in output.err
    assert "cut short" in output.err


def test_a_picture_of_the_game_is_read(
    recording: tuple[Path, list[Event]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, events = recording
    lit = {line.split()[0] for line in (folder / LIT).read_text("utf-8").splitlines()}
    # Alone, a picture of glowing squares looks like one of pieces.
    last = max(path for path in folder.glob("*.png") if path.name not in lit)
    overlay = tmp_path / "seen.png"
    (found,) = lines(capsys, "read", last, "--json", "--overlay", overlay)
    assert found["found"] is True
    assert (found["game"], found["edition"], found["size"]) == ("duo", "purple-orange", 14)
    laid = [one.move for one in events if isinstance(one, MoveAccepted)]
    assert {frozenset(piece["cells"]) for piece in found["pieces"]} == {
        frozenset(str(move).split(",")) for move in laid
    }
    assert found["problems"] == []
    assert found["photo"] == str(last)
    assert overlay.stat().st_size > 1000
    assert main(["read", str(last)]) == 0
    assert "duo, purple-orange" in capsys.readouterr().out


@pytest.mark.parametrize("edition", ["auto", "purple-orange"])
def test_a_picture_without_colours_is_said_to_have_none_and_its_tiles_are_unsure(
    edition: str,
    recording: tuple[Path, list[Event]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, _ = recording
    lit = {line.split()[0] for line in (folder / LIT).read_text("utf-8").splitlines()}
    last = max(path for path in folder.glob("*.png") if path.name not in lit)
    grey = cv2.imread(str(last), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    cv2.imwrite(str(tmp_path / "grey.jpg"), grey)
    words = ["read", str(tmp_path / "grey.jpg"), "--edition", edition]
    (found,) = lines(capsys, *words, "--json")
    tiles = {square for piece in found["pieces"] for square in piece["cells"]}
    assert tiles
    assert tiles <= set(found["unsure"])
    assert found["has_colours"] is False
    assert main(words) == 0
    assert "the picture has no colours; switch off" in capsys.readouterr().out


def test_squares_that_glow_in_a_saved_picture_are_read_as_unknown(
    recording: tuple[Path, list[Event]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, events = recording
    notes = RecordingNotes(folder, {path.name for path in folder.iterdir()})
    lit = max(path for path in folder.glob("*.png") if notes.lit(path.name))
    glowing = {Board.of(14).format_square(square) for square in notes.lit(lit.name)}
    (found,) = lines(capsys, "read", lit, "--json")
    hidden = [
        f"{chr(ord('a') + column)}{14 - row}"
        for row, text in enumerate(found["cells"])
        for column, mark in enumerate(text)
        if mark == "?"
    ]
    assert glowing <= set(hidden)
    laid = {str(one.move) for one in events if isinstance(one, MoveAccepted)}
    squares = {square for move in laid for square in move.split(",")}
    assert {cell for piece in found["pieces"] for cell in piece["cells"]} <= squares
    alone = tmp_path / lit.name
    alone.write_bytes(lit.read_bytes())
    (misread,) = lines(capsys, "read", alone, "--json")
    assert misread["cells"] != found["cells"]


def test_a_saved_picture_is_read_as_it_was_turned(
    recording: tuple[Path, list[Event]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = max(recording[0].glob("*.png"))
    (seen,) = lines(capsys, "read", last, "--json")
    turned = np.rot90(load_picture(last))[:, ::-1]
    cv2.imwrite(str(tmp_path / "1.png"), turned)
    (tmp_path / ORIENTATIONS).write_text("1.png 90 mirrored\n", encoding="utf-8")
    lit = RecordingNotes(last.parent, {last.name}).lit(last.name)
    (tmp_path / LIT).write_text(f"1.png {' '.join(map(str, lit))}\n", encoding="utf-8")
    (found,) = lines(capsys, "read", tmp_path / "1.png", "--json")
    assert found["cells"] == seen["cells"]


def test_a_picture_without_a_board_is_reported_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), np.full((480, 640, 3), 127, np.uint8))
    assert main(["read", "--json", str(path)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["found"] is False
    assert "no board found" in found["reason"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["watch", "nowhere"], "there is no recording nowhere"),
        (["watch", "tests/firmware/rules/data"], "there is no picture in the folder"),
        (["watch", "README.md"], "is not a video that can be read"),
        (["watch", "tests/firmware/rules", "--fps", "0"], "cannot be played at 0"),
        (["read", "README.md"], "is not a picture"),
        (["read", "none.jpg"], "cannot read the picture none.jpg"),
    ],
)
def test_what_cannot_be_looked_at_is_refused_in_a_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--first", "red", "--edition", "purple-orange"],
            "Duo has no edition in which red begins",
        ),
        (["--game", "classic", "--edition", "black-white"], "Classic has no edition of that kind"),
        (["--game", "classic", "--first", "red"], "no edition in which red begins"),
        (["--game", "classic", "--first", "black"], "no edition in which black begins"),
    ],
)
def test_colours_that_the_game_has_not_are_refused(
    words: list[str],
    message: str,
    recording: tuple[Path, list[Event]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["watch", str(recording[0]), *words]) == 2
    assert message in capsys.readouterr().err


def test_who_begins_is_taken_from_the_command_line(
    recording: tuple[Path, list[Event]], capsys: pytest.CaptureFixture[str]
) -> None:
    entries = lines(capsys, "watch", recording[0], "--first", "orange", "--json")
    assert list(entries[-1]["score"]) == ["orange", "purple"]


def test_a_recording_without_a_board_is_reported_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((480, 640, 3), 127, np.uint8))
    assert main(["watch", str(tmp_path), "--json"]) == 1
    output = capsys.readouterr()
    assert json.loads(output.out)["moves"] == 0
    assert "no board found" in output.err


def test_a_board_is_searched_for_every_five_seconds_and_no_more_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(12):
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), np.full((480, 640, 3), 127, np.uint8))
    searched = []

    def counting(*arguments: Any, search: bool, **known: Any) -> Any:
        searched.append(search)
        return locate(*arguments, search=search, **known)

    monkeypatch.setattr(games_by_board, "locate", counting)
    main(["watch", str(tmp_path), "--fps", "2"])
    assert searched == [number % 10 == 0 for number in range(12)]


def test_a_folder_of_broken_pictures_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "1.jpg").write_text("no picture")
    assert main(["watch", str(tmp_path)]) == 2
    assert "not one picture of it can be read" in capsys.readouterr().err


def test_verdicts_are_reported_while_the_recording_runs(
    recording: tuple[Path, list[Event]], capsys: pytest.CaptureFixture[str]
) -> None:
    read: list[int] = []

    class Counting(FolderCamera):
        def read(self) -> Frame | None:
            read.append(len(capsys.readouterr().out))
            return super().read()

    with patch.object(watch, "open_recording", Counting):
        assert main(["watch", str(recording[0]), "--json"]) == 0
    # Something was printed between two frames, long before the last one.
    assert any(read[2 : len(read) // 2])


def test_a_picture_that_cannot_be_read_stops_no_other(
    recording: tuple[Path, list[Event]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grey, board = tmp_path / "grey.png", min(recording[0].glob("*.png"))
    cv2.imwrite(str(grey), np.full((480, 640, 3), 127, np.uint8))
    words = ["read", "README.md", str(grey), str(board)]
    assert main([*words, "--json"]) == 2
    said = capsys.readouterr()
    rows = [json.loads(line) for line in said.out.splitlines()]
    assert [row["photo"] for row in rows] == words[1:]
    assert [row["found"] for row in rows] == [False, False, True]
    reason = "README.md is not a picture; give a JPEG, PNG, WebP or HEIC file"
    assert rows[0]["reason"] == reason
    assert said.err == f"cornerlight: {reason}\n"
    assert main(["read", "no\nne.jpg"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert main(["read", str(grey), str(board)]) == 1
    assert "; score: purple -89, orange -89\n" in capsys.readouterr().out


def test_what_is_wrong_beside_the_pictures_is_said_once(
    recording: tuple[Path, list[Event]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = str(min(recording[0].glob("*.png")))
    missing = str(tmp_path / "none" / "a.png")
    assert main(["read", board, board, "--empty", missing, "--json"]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("cannot read the picture")) == ("", 1)
    assert main(["read", board, "--overlay", missing, "--json"]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["found"] is True  # the only line
    assert "cannot write" in said.err


def test_corners_may_begin_with_a_negative_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "none.jpg", "--corners", "-4.8,1,9,1,9,9,1,9"]) == 2
    assert "cannot read the picture none.jpg" in capsys.readouterr().err


def test_corners_that_are_no_eight_numbers_are_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["read", "--corners", "1,2,3", "x.jpg"])
    assert caught.value.code == 2
    assert "eight numbers" in capsys.readouterr().err


def test_the_recorded_game_of_the_further_data(
    further_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = lines(capsys, "watch", further_data / "game", "--json")
    truth = json.loads((further_data / "game" / "events.json").read_text())["events"]
    moves = [row for row in entries if row["event"] == "move"]
    assert [row["piece"] for row in moves] == [e["piece"] for e in truth if e["type"] == "move"]
    assert moves[0]["turned"] == 90
    assert [r["rule"] for row in entries if row["event"] == "illegal" for r in row["reasons"]] == [
        "no-own-corner"
    ]
    kinds = [row["event"] for row in entries]
    assert kinds.count("withdrawn") == kinds.count("light-changed") == 1
    assert kinds.count("board-moved") == 1
    assert not {"unsure", "disturbed", "undone", "board-lost"} & set(kinds)
