"""What a table takes in besides frames, as lines of JSON: `inputs.jsonl` of a recording.

Each line has the number of the frame before which something was done (`frame`), and one of these:

game      the settings of a game that began; the first line also has its `events` so far
command   a command of a paired phone, as in the contract of the page; never the phone's token
button    index of the person whose button was pressed; `held` for a long press
hint      the move that the computer player had found
fault     code of the reason that the camera was away; `reason`: the same as a sentence
"""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from firmware.drivers.interfaces import ButtonPress
from firmware.errors import UnreadableError
from firmware.game.config import GameConfig
from firmware.game.config import from_json as config_from_json
from firmware.game.config import to_json as config_to_json
from firmware.game.event_codec import from_json, to_json
from firmware.game.events import Event
from firmware.rules.board import Move
from firmware.rules.variants import default_edition
from vision.camera import NoCamera
from vision.io.bounded_file import read_bounded
from web.contract import Command
from web.contract.commands import command_from_json, command_to_json

INPUTS: Final = "inputs.jsonl"
"""File of the inputs."""

_LARGEST: Final = 16_000_000
"""Most bytes of the file: an evening with 500 commands has 100,000."""


@dataclass(frozen=True, slots=True)
class FoundHint:
    """A move that the computer player had found when it was asked for a hint.

    Attributes:
        move: the move.
        size: squares along a side of its board.
    """

    move: Move
    size: int


SessionInput = Command | ButtonPress | FoundHint | NoCamera | GameConfig
"""Anything that a table takes in besides frames; a `GameConfig` is that of a game that began."""


class SessionInputs:
    """The inputs of a recorded session, to be repeated.

    Args:
        config: settings of its game.
        events: events of the game before the recording.
        turned: the clockwise turn in degrees from the camera's frame to the game's, if it was
            known at the start.
        inputs: the inputs in order, each with the number of the frame before which it was done.
    """

    def __init__(
        self,
        config: GameConfig,
        events: Sequence[Event] = (),
        turned: int | None = None,
        inputs: Sequence[tuple[int, SessionInput]] = (),
    ) -> None:
        self.config: Final = config
        self.events: Final = tuple(events)
        self.turned: Final = turned
        self._inputs: Final = deque(inputs)

    def before(self, frame: int | None) -> list[SessionInput]:
        """Returns the inputs before a frame that were not returned yet.

        Args:
            frame: number of the frame in the recording; None after the last.
        """
        due = []
        while self._inputs and (frame is None or self._inputs[0][0] <= frame):
            due.append(self._inputs.popleft()[1])
        return due


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
        config = config_from_json(first["game"])
        edition = default_edition(config.game)
        events = [from_json(one, config.game.size, edition) for one in first["events"]]
        return SessionInputs(
            config, events, first.get("turned"), [(int(one["frame"]), _input(one)) for one in rest]
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableError(
            f"{path}, what people did, cannot be read; without it only the frames are judged"
        ) from error


def first_line(config: GameConfig, events: Sequence[Event], turned: int | None) -> str:
    """Returns the first line of the file; see `SessionInputs`."""
    # Colours are stored as places in the order of play, so any names serve.
    edition = default_edition(config.game)
    before = [to_json(event, config.game.size, edition) for event in events]
    known = {} if turned is None else {"turned": turned}
    return json.dumps({"frame": 1, "game": config_to_json(config), "events": before, **known})


def line_of(frame: int, one: SessionInput) -> str:
    """Returns the line of an input.

    Args:
        frame: number of the frame before which it was done.
        one: the input.
    """
    return json.dumps({"frame": frame, **_fields(one)})


def _fields(one: SessionInput) -> dict[str, Any]:
    match one:
        case ButtonPress():
            return {"button": one.person, "held": one.held}
        case FoundHint():
            return {"hint": str(one.move), "size": one.size}
        case GameConfig():
            return {"game": config_to_json(one)}
        case NoCamera():
            return {"fault": one.code, "reason": one.reason}
        case _:
            return {"command": command_to_json(one)}


def _input(line: Mapping[str, Any]) -> SessionInput:
    """Returns the input of a line.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    if "game" in line:
        return config_from_json(line["game"])
    if "button" in line:
        return ButtonPress(int(line["button"]), held=bool(line["held"]))
    if "hint" in line:
        return FoundHint(Move.parse(line["hint"], line["size"]), line["size"])
    if "fault" in line:
        return NoCamera(str(line["fault"]), str(line["reason"]))
    return command_from_json(line["command"])
