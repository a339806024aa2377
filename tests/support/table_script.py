"""A script of actions at a virtual table, as text, and the frames it results in.

A script defines all actions and frames exactly, to a tenth of a millimetre; only the noise comes
from the seed of the renderer. The same script gives the same frames as long as the renderer does
not change. It has a thousandth of the size of the frames.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Final

import cv2
import numpy as np

from firmware.rules.board import Move
from firmware.rules.errors import NotationError
from firmware.rules.variants import EDITIONS, VARIANTS, Colour
from firmware.simulator.appearance import FROSTED, PieceMaterial
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.table import (
    BoardStand,
    FrameKind,
    Hand,
    Lighting,
    Surroundings,
    TablePiece,
    VirtualTable,
)
from tests.support.buffered_camera import BufferedCamera
from vision.camera import Camera, Frame
from vision.io.image_file import encode_jpeg
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import LampLook


@dataclass(frozen=True, slots=True)
class ScriptSetup:
    """Constant parameters of a script.

    Attributes:
        game: key of the game.
        edition: name of the edition.
        seed: seed of the renderer.
        fps: frames a second.
        width, height: size of a frame in pixels.
        noise: standard deviation of the sensor's noise in grey levels.
        jpeg: JPEG quality of the frames, 1 to 100.
        opacity: opacity of the plastic, 0 to 1; below 1 the board is visible through it.
        told: True if edition and first colour are known to the reader of the frames.
        lights: kind of the pieces above lit LEDs, opaque or translucent; empty without LEDs.
        late: number of frames in the camera's buffers; above 0 frames have no exposure times.
    """

    game: str = "duo"
    edition: str = "purple-orange"
    seed: int = 1
    fps: float = 2.0
    width: int = 640
    height: int = 480
    noise: float = 2.0
    jpeg: int = 90
    opacity: float = 1.0
    told: bool = True
    lights: str = ""
    late: int = 0


@dataclass(frozen=True, slots=True)
class Action:
    """An action at the table; it takes no time."""

    name: ClassVar[str] = ""

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """The camera takes some frames without an action."""

    name: ClassVar[str] = "wait"
    frames: int = 1


@dataclass(frozen=True, slots=True)
class Lay(Action):
    """A piece is put on the board, from its tray or from the hand that holds it.

    Attributes:
        colour: colour of the piece, by the order of play.
        cells: the squares that it is meant to cover.
        dx_mm, dy_mm, deg: its deviation from them.
    """

    name: ClassVar[str] = "lay"
    colour: Colour
    cells: str
    dx_mm: float = 0.0
    dy_mm: float = 0.0
    deg: float = 0.0

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        table.lay(self.placed(table))

    def placed(self, table: VirtualTable) -> TablePiece:
        """The piece at its place on the table."""
        move = Move.parse(self.cells, table.scene.game.size)
        return TablePiece(self.colour, move, self.dx_mm, self.dy_mm, self.deg)


@dataclass(frozen=True, slots=True)
class Shift(Lay):
    """A piece on the board is moved."""

    name: ClassVar[str] = "shift"

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        placed = self.placed(table)
        table.shift(placed.colour, placed.move.piece, placed)


@dataclass(frozen=True, slots=True)
class Lift(Action):
    """A piece is taken off the board, back to its tray."""

    name: ClassVar[str] = "lift"
    colour: Colour
    cells: str

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        table.lift(self.colour, Move.parse(self.cells, table.scene.game.size).piece)


@dataclass(frozen=True, slots=True)
class Reach(Action):
    """A hand is above the board, empty or with a piece.

    Attributes:
        x_mm, y_mm: its place.
        seat: the side it comes from, see `Hand`.
        colour, cells, deg: the piece that it holds; no squares for none.
    """

    name: ClassVar[str] = "reach"
    x_mm: float
    y_mm: float
    seat: int
    colour: Colour = 0
    cells: str = ""
    deg: float = 0.0

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        held = None
        if self.cells:
            move = Move.parse(self.cells, table.scene.game.size)
            held = TablePiece(self.colour, move, angle_deg=self.deg)
        table.move_hand(Hand(self.x_mm, self.y_mm, self.seat, held))


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """The hand leaves."""

    name: ClassVar[str] = "leave"

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        table.move_hand(None)


@dataclass(frozen=True, slots=True)
class Switch(LampLook, Action):
    """The light changes."""

    name: ClassVar[str] = "switch"

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        table.switch_lamp(Lighting(**asdict(self)))


@dataclass(frozen=True, slots=True)
class Bump(Action):
    """The camera is pushed."""

    name: ClassVar[str] = "bump"
    dx_mm: float = 0.0
    dy_mm: float = 0.0
    roll_deg: float = 0.0

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        table.bump_camera(self.dx_mm, self.dy_mm, self.roll_deg)


@dataclass(frozen=True, slots=True)
class Tilt(Action):
    """The camera stands at a tilt, see `CameraStand`."""

    name: ClassVar[str] = "tilt"
    tilt_deg: float
    side_deg: float

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        table.tilt_camera(self.tilt_deg, self.side_deg)


@dataclass(frozen=True, slots=True)
class Surround(Surroundings, Action):
    """The board is of a kind, and lies in surroundings."""

    name: ClassVar[str] = "surround"

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        # A script has the frame as text.
        table.surround(Surroundings(**{**asdict(self), "frame": FrameKind(self.frame)}))


@dataclass(frozen=True, slots=True)
class Push(BoardStand, Action):
    """The board is pushed, with its pieces."""

    name: ClassVar[str] = "push"

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        table.bump_board(self.dx_mm, self.dy_mm, self.turn_deg)


@dataclass(frozen=True, slots=True)
class Cup(Action):
    """A cup is put down, or taken away."""

    name: ClassVar[str] = "cup"
    x_mm: float = 0.0
    y_mm: float = 0.0
    away: bool = False

    def on(self, table: VirtualTable) -> None:
        """Applies the action to a table."""
        table.put_cup(None if self.away else (self.x_mm, self.y_mm))


ACTIONS: Final[tuple[type[Action], ...]] = (
    Wait,
    Lay,
    Shift,
    Lift,
    Reach,
    Leave,
    Switch,
    Bump,
    Tilt,
    Surround,
    Push,
    Cup,
)
"""Every kind of action."""

_KINDS: Final = {kind.name: kind for kind in ACTIONS}
"""Classes of actions by the name in scripts."""


def to_json(action: Action) -> dict[str, Any]:
    """An action as a line of a script, without default values."""
    defaults = {item.name: item.default for item in fields(action)}
    rest = {key: value for key, value in asdict(action).items() if value != defaults[key]}
    return {"do": action.name, **rest}


def from_json(line: Mapping[str, Any]) -> Action:
    """Reads the form that `to_json` writes.

    Raises:
        NotationError: there is no such action.
    """
    kind = _KINDS.get(line.get("do", ""))
    if kind is None:
        raise NotationError(f"{line!r} is no action; they are {', '.join(_KINDS)}")
    try:
        return kind(**{key: value for key, value in line.items() if key != "do"})
    except TypeError as error:
        raise NotationError(f"{line!r} is no way to {kind.name}: {error}") from error


def written(setting: ScriptSetup, actions: Iterable[Action]) -> str:
    """A script as lines of JSON: the parameters, then the actions."""
    lines = [asdict(setting), *map(to_json, actions)]
    return "".join(json.dumps(line) + "\n" for line in lines)


def read(text: str) -> tuple[ScriptSetup, list[Action]]:
    """Reads the form that `written` returns.

    Raises:
        NotationError: it is not a script.
    """
    try:
        first, *rest = map(json.loads, text.splitlines())
        return ScriptSetup(**first), [from_json(line) for line in rest]
    except (AttributeError, TypeError, ValueError) as error:
        raise NotationError(f"this script cannot be read: {error}") from error


class ScriptedTable:
    """A virtual table at which a script is played.

    Args:
        setting: constant parameters.
        on_jpeg: called with each frame's number and JPEG.

    Attributes:
        table: the table.
    """

    def __init__(
        self, setting: ScriptSetup, on_jpeg: Callable[[int, bytes], object] | None = None
    ) -> None:
        self.table = VirtualTable(VARIANTS[setting.game])
        self._setting: Final = setting
        self._on_jpeg: Final = on_jpeg
        self._taken = 0
        camera = SimulatedCamera(
            self.table,
            EDITIONS[setting.edition],
            lambda: (self._taken + 1) / setting.fps,
            Renderer(setting.seed, setting.noise),
            (setting.width, setting.height),
            FROSTED if setting.lights == "translucent" else PieceMaterial(setting.opacity),
        )
        self._camera: Final[Camera] = (
            BufferedCamera(camera, setting.late) if setting.late else camera
        )

    def play(self, actions: Iterable[Action]) -> Iterator[Frame]:
        """Applies actions; yields the frames that the camera takes."""
        for action in actions:
            if isinstance(action, Wait):
                for _ in range(action.frames):
                    yield self._frame()
            else:
                action.on(self.table)

    def _frame(self) -> Frame:
        """The next frame, compressed as JPEG and decompressed."""
        frame = self._camera.read()
        assert frame is not None, "this camera is never closed"
        self._taken += 1
        packed = encode_jpeg(frame.image, self._setting.jpeg)
        if self._on_jpeg:
            self._on_jpeg(frame.number, packed)
        image = np.asarray(
            cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8
        )
        return Frame(image, frame.time_s, frame.number, frame.exposure)
