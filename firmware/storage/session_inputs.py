"""Inputs of a table besides frames, as lines of JSON: `inputs.jsonl` of a recording.

Each line has the number of the frame before which something was done (`frame`), and one of these:

game      the settings of a game that began; `turned`: the turn of the board in the picture, if it
          was known; `by_board`: true if the board in view decides what is played. The first line
          also has the game's `events` so far
reader    corners and lens with which the table read its frames from this one on
look      true where the board was looked for anew, as after a measurement of the set-up
command   a command of a paired phone, as in the contract of the page; never the phone's token
club      an event that somebody caused at the table, as in the journal
button    index of the person whose button was pressed; `held` for a long press, and `off` for one
          that switches the machine off
hint      the move that the computer player had found; `color`: in a puzzle, the place of its colour
          in the order of play, from 0; `reasons`: the reasons for it, if it looked for some;
          `proved`: the exact margin in points, if it is proved
chosen    the move that the computer had chosen for its seat
fault     code of the reason that the camera was away; `reason`: the same as a sentence
"""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from firmware.codec import Codec, Form
from firmware.codes import CameraFault
from firmware.drivers.interfaces import ButtonPress
from firmware.errors import UnreadableError
from firmware.game.config import GameConfig
from firmware.game.config import from_json as config_from_json
from firmware.game.config import to_json as config_to_json
from firmware.game.event_codec import from_json, to_json
from firmware.game.events import Event, TableEvent
from firmware.game.reasons import Reason
from firmware.game.reasons import from_json as reason_from_json
from firmware.game.reasons import to_json as reason_to_json
from firmware.rules.board import Move
from firmware.rules.variants import VARIANTS, Colour, default_edition
from firmware.storage.camera_memory import Corners
from vision.camera import NoCamera
from vision.errors import read_bounded
from vision.geometry.calibration import lens_from_json
from vision.geometry.lens import Lens
from web.contract import Command, CommandName, NewGame
from web.contract.commands import command_from_json, command_to_json

INPUTS: Final = "inputs.jsonl"
"""File of these lines in a recording: `SessionRecorder` writes it, `watch` and `run` repeat it."""

_LARGEST: Final = 2_000_000
"""Most bytes of the file: an evening with 500 commands has 100,000."""

_SIZE: Final = 14
"""Squares along a side of the board of events that name none."""

_EDITION: Final = default_edition(VARIANTS["duo"])
"""Colours of events that name none."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardGeometry:
    """Corners and lens with which frames are read, from one frame on.

    Attributes:
        corners: corners of the board, from 0 to 1 of the picture; empty to detect them.
        lens: the measured lens; None if it was not measured.
        is_read: False while frames are not read, because corners that were kept from before are
            still compared with them.
    """

    corners: Corners = ()
    lens: Lens | None = None
    is_read: bool = True


@dataclass(frozen=True, slots=True)
class FoundHint:
    """A move that the computer player had found when it was asked for a hint.

    Attributes:
        move: the move.
        colour: its colour in a puzzle; None for the colour to move.
        reasons: the reasons for it; None if nobody looked for any.
        proved: exact margin in points of the side to move, if it is proved.
    """

    move: Move
    colour: Colour | None = None
    reasons: tuple[Reason, ...] | None = None
    proved: int | None = None


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """A move that the computer had chosen for its seat.

    Attributes:
        move: the move.
    """

    move: Move


@dataclass(frozen=True, slots=True)
class BegunGame:
    """A game that began.

    Attributes:
        config: its settings.
        turned: the clockwise turn in degrees from the camera's frame to the game's, if it was
            known at the start.
        by_board: True if the board in view decides what is played.
    """

    config: GameConfig
    turned: int | None = None
    by_board: bool = False


@dataclass(frozen=True, slots=True)
class LookAgain:
    """The board was looked for anew."""


SessionInput = (
    Command | ButtonPress | FoundHint | ChosenMove | NoCamera | BegunGame | LookAgain | TableEvent
)
"""Anything that a table takes in besides frames."""


class SessionInputs:
    """The inputs of a recorded session, to be repeated.

    Args:
        begun: its first game.
        events: events of the game before the recording.
        inputs: the inputs in order, each with the number of the frame before which it was done.

    Attributes:
        config: settings of the first game.
        events: its events before the recording.
        by_board: True if the board in view decided what was played.
        turned: the clockwise turn in degrees from the camera's frame to that of the game that
            began last, if it was known at its start.
        geometry: corners and lens with which the next frame was read; None if nobody knows.
    """

    def __init__(
        self,
        begun: BegunGame,
        events: Sequence[Event] = (),
        inputs: Sequence[tuple[int, SessionInput | BoardGeometry]] = (),
    ) -> None:
        self.config: Final = begun.config
        self.by_board: Final = begun.by_board
        self.events: Final = tuple(events)
        self.turned = begun.turned
        self.geometry: BoardGeometry | None = None
        self._inputs: Final = deque(inputs)

    def before(self, frame: int | None) -> Iterator[SessionInput]:
        """Yields the inputs before a frame that were not yielded yet.

        Args:
            frame: number of the frame in the recording; None after the last.
        """
        while self._inputs and (frame is None or self._inputs[0][0] <= frame):
            _, one = self._inputs.popleft()
            if isinstance(one, BoardGeometry):
                self.geometry = one
                continue
            if isinstance(one, BegunGame):
                self.turned = one.turned
            yield one


def load_inputs(folder: Path) -> SessionInputs | None:
    """Reads the inputs of a recording; None if it has none, as old ones and plain pictures.

    A last line that is incomplete, as after a power cut, is ignored.

    Raises:
        UnreadableError: they are damaged.
        SourceError: the file cannot be read, or is too large.
    """
    path = folder / INPUTS
    if not path.is_file():
        return None
    data = read_bounded(path, _LARGEST, "list of inputs")
    try:
        first, *rest = map(json.loads, data.decode("utf-8").split("\n")[:-1])
        begun: BegunGame = _CODEC.read(BegunGame, first, "the first line")
        game = begun.config.game
        edition = default_edition(game)
        events = [from_json(one, game.size, edition) for one in first["events"]]
        return SessionInputs(begun, events, [(int(one["frame"]), _input(one)) for one in rest])
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise UnreadableError(
            f"{path}, what people did, cannot be read; without it only the frames are judged"
        ) from error


def inputs_of(source: Path, game: str | None) -> SessionInputs | None:
    """Returns what people did in a recording; None if that is not known, or of another game.

    Args:
        source: the recording, or any other source of pictures.
        game: key of the game that the command line names; another word or None if it names none.
    """
    inputs = load_inputs(source)
    if inputs is None or game not in VARIANTS or game == inputs.config.game.key:
        return inputs
    title = inputs.config.game.title
    sys.stderr.write(f"cornerlight: {source} is of {title}: what people did is left out\n")
    return None


def first_line(begun: BegunGame, events: Sequence[Event]) -> str:
    """Returns the first line of the file; see `SessionInputs`."""
    game = begun.config.game
    # Colours are stored as places in the order of play, so any names serve.
    edition = default_edition(game)
    before = [to_json(event, game.size, edition) for event in events]
    return json.dumps({"frame": 1, **_fields(begun), "events": before})


def line_of(frame: int, one: SessionInput | BoardGeometry) -> str:
    """Returns the line of an input.

    Args:
        frame: number of the frame before which it was done.
        one: the input.
    """
    return json.dumps({"frame": frame, **_fields(one)})


def _fields(one: SessionInput | BoardGeometry) -> dict[str, Any]:
    match one:
        case BoardGeometry():
            fields: dict[str, Any] = {"reader": _CODEC.write(BoardGeometry, one)}
        case ChosenMove():
            fields = {"chosen": str(one.move), "size": one.move.board.size}
        case LookAgain():
            fields = {"look": True}
        case Event():
            fields = {"club": to_json(one, _SIZE, _EDITION)}
        case ButtonPress() | FoundHint() | BegunGame() | NoCamera():
            written = _CODEC.write(type(one), one)
            fields = {key: value for key, value in written.items() if value is not None}
        case _:
            fields = {"command": command_to_json(one)}
    return fields


def _input(line: Mapping[str, Any]) -> SessionInput | BoardGeometry:
    """Returns the input of a line.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    [kind] = _READERS.keys() & line.keys()
    return _READERS[kind](line)


def _command(table: Mapping[str, Any]) -> Command:
    """Reads a command; a new game of an earlier version lacks the newest of its terms."""
    is_new_game = table.get("word") == CommandName.NEW_GAME
    usual = command_to_json(NewGame()) if is_new_game else {}
    return command_from_json({**usual, **table})


def _table_event(table: Mapping[str, Any]) -> TableEvent:
    event = from_json(table, _SIZE, _EDITION)
    if not isinstance(event, TableEvent):
        raise TypeError(f"{event.name} is no table event")
    return event


def _read_corners(rows: Sequence[Sequence[float]]) -> Corners:
    corners = tuple((float(x), float(y)) for x, y in rows)
    if len(corners) not in (0, 4) or not np.isfinite(corners).all():
        raise ValueError("a board has four corners")
    return corners


def _written_lens(lens: Lens) -> dict[str, Any]:
    return {"K": lens.K.tolist(), "dist": lens.dist.tolist(), "size": list(lens.size)}


_CODEC: Final = Codec(
    {"person": "button", "config": "game", "code": "fault", "is_read": "read"},
    {
        GameConfig: Form(config_to_json, config_from_json),
        Move: Form(
            lambda move: {"hint": str(move), "size": move.board.size},
            lambda line: Move.parse(line["hint"], line["size"]),
            is_flat=True,
        ),
        Colour: Form(int, range(4).index),
        Reason: Form(reason_to_json, reason_from_json),
        Corners: Form(lambda corners: list(map(list, corners)), _read_corners),
        Lens: Form(_written_lens, lens_from_json),
    },
    has_gaps=True,
    has_more=True,
)
"""Codec of the lines that are not of another one."""

_READERS: Final[dict[str, Callable[[Mapping[str, Any]], SessionInput | BoardGeometry]]] = {
    "button": lambda line: _CODEC.read(ButtonPress, line, "it"),
    "hint": lambda line: _CODEC.read(FoundHint, line, "it"),
    "chosen": lambda line: ChosenMove(Move.parse(line["chosen"], line["size"])),
    "game": lambda line: _CODEC.read(BegunGame, line, "it"),
    "reader": lambda line: _CODEC.read(BoardGeometry, line["reader"], "it"),
    "look": lambda _: LookAgain(),
    "fault": lambda line: NoCamera(CameraFault(line["fault"]).value, str(line["reason"])),
    "club": lambda line: _table_event(line["club"]),
    "command": lambda line: _command(line["command"]),
}
"""Functions that read a line, by the key that says its kind."""
