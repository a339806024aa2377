"""A short script of what happens at a virtual table, as text, and the frames that it gives.

A script says to the tenth of a millimetre what people do and how often the camera looks, and
leaves nothing to chance but the seed of the renderer: the same script gives the same frames for
as long as the renderer draws alike. It is a thousandth the size of the frames.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Final

import cv2
import numpy as np

from firmware.rules.board import Move
from firmware.rules.errors import NotationError
from firmware.rules.variants import EDITIONS, GAMES, Colour
from firmware.simulator.appearance import FROSTED, Plastic
from firmware.simulator.camera import BufferedCamera, SimulatedCamera
from firmware.simulator.table import Hand, Lighting, TablePiece, VirtualTable
from vision.camera import Camera, Frame
from vision.io.jpeg import encode_jpeg
from vision.synthetic import Renderer


@dataclass(frozen=True, slots=True)
class ScriptSetup:
    """What stays the same throughout.

    Attributes:
        game: key of the game.
        edition: name of the edition.
        seed: of the renderer.
        fps: frames a second.
        width, height: of a frame in pixels.
        noise: standard deviation of the sensor's noise in grey levels.
        jpeg: quality in which each frame is packed before it is looked at, 1 to 100.
        opacity: of the plastic, 0 to 1; less than 1 lets the board shine through.
        told: whether whoever watches is told the edition and who begins.
        lights: kind of the pieces over LEDs that glow, opaque or translucent; empty for no LEDs.
        late: for how many frames the camera keeps one in buffers; above 0 it says no times.
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
    """Something that is done at the table; it takes no time."""

    name: ClassVar[str] = ""

    def on(self, table: VirtualTable) -> None:
        """Does it."""


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Nothing is done while the camera takes some frames."""

    name: ClassVar[str] = "wait"
    frames: int = 1


@dataclass(frozen=True, slots=True)
class Lay(Action):
    """A piece is put on the board, from its tray or from the hand that holds it.

    Attributes:
        colour: whose, by the order of play.
        cells: the squares it is meant to cover.
        dx_mm, dy_mm, deg: how far off it lies.
    """

    name: ClassVar[str] = "lay"
    colour: Colour
    cells: str
    dx_mm: float = 0.0
    dy_mm: float = 0.0
    deg: float = 0.0

    def on(self, table: VirtualTable) -> None:
        """Does it."""
        table.lay(self.lying(table))

    def lying(self, table: VirtualTable) -> TablePiece:
        """The piece as it is to lie."""
        move = Move.parse(self.cells, table.scene.game.size)
        return TablePiece(self.colour, move, self.dx_mm, self.dy_mm, self.deg)


@dataclass(frozen=True, slots=True)
class Shift(Lay):
    """A piece that lies on the board is moved."""

    name: ClassVar[str] = "shift"

    def on(self, table: VirtualTable) -> None:
        """Does it."""
        lying = self.lying(table)
        table.shift(lying.colour, lying.move.piece, lying)


@dataclass(frozen=True, slots=True)
class Lift(Action):
    """A piece is taken off the board, back to its tray."""

    name: ClassVar[str] = "lift"
    colour: Colour
    cells: str

    def on(self, table: VirtualTable) -> None:
        """Does it."""
        table.lift(self.colour, Move.parse(self.cells, table.scene.game.size).piece)


@dataclass(frozen=True, slots=True)
class Reach(Action):
    """A hand is over a place, empty or with a piece.

    Attributes:
        x_mm, y_mm: where it is.
        seat: from which side it comes, see `Hand`.
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
        """Does it."""
        held = None
        if self.cells:
            move = Move.parse(self.cells, table.scene.game.size)
            held = TablePiece(self.colour, move, angle_deg=self.deg)
        table.move_hand(Hand(self.x_mm, self.y_mm, self.seat, held))


@dataclass(frozen=True, slots=True)
class Leave(Action):
    """The hand goes away."""

    name: ClassVar[str] = "leave"

    def on(self, table: VirtualTable) -> None:
        """Does it."""
        table.move_hand(None)


@dataclass(frozen=True, slots=True)
class Switch(Action):
    """The light becomes another, see `Lighting`."""

    name: ClassVar[str] = "switch"
    brightness: float = 1.0
    kelvin: float = 4500.0
    azimuth_deg: float = 125.0
    elevation_deg: float = 56.0

    def on(self, table: VirtualTable) -> None:
        """Does it."""
        lamp = Lighting(self.brightness, self.kelvin, self.azimuth_deg, self.elevation_deg)
        table.switch_lamp(lamp)


@dataclass(frozen=True, slots=True)
class Bump(Action):
    """The camera is pushed."""

    name: ClassVar[str] = "bump"
    dx_mm: float = 0.0
    dy_mm: float = 0.0
    roll_deg: float = 0.0

    def on(self, table: VirtualTable) -> None:
        """Does it."""
        table.bump_camera(self.dx_mm, self.dy_mm, self.roll_deg)


@dataclass(frozen=True, slots=True)
class Push(Action):
    """The board is pushed, with all that lies on it."""

    name: ClassVar[str] = "push"
    dx_mm: float = 0.0
    dy_mm: float = 0.0
    turn_deg: float = 0.0

    def on(self, table: VirtualTable) -> None:
        """Does it."""
        table.bump_board(self.dx_mm, self.dy_mm, self.turn_deg)


@dataclass(frozen=True, slots=True)
class Cup(Action):
    """A cup is put down, or taken away again."""

    name: ClassVar[str] = "cup"
    x_mm: float = 0.0
    y_mm: float = 0.0
    away: bool = False

    def on(self, table: VirtualTable) -> None:
        """Does it."""
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
    Push,
    Cup,
)
"""Everything that can be done."""

_KINDS: Final = {kind.name: kind for kind in ACTIONS}


def to_json(action: Action) -> dict[str, Any]:
    """An action as a line of a script; what is as usual is left out."""
    usual = {item.name: item.default for item in fields(action)}
    rest = {key: value for key, value in asdict(action).items() if value != usual[key]}
    return {"do": action.name, **rest}


def from_json(line: Mapping[str, Any]) -> Action:
    """The way back from `to_json`.

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
    """A script as lines of JSON: the setting, then what is done."""
    lines = [asdict(setting), *map(to_json, actions)]
    return "".join(json.dumps(line) + "\n" for line in lines)


def read(text: str) -> tuple[ScriptSetup, list[Action]]:
    """The way back from `written`.

    Raises:
        NotationError: it is no script.
    """
    try:
        first, *rest = map(json.loads, text.splitlines())
        return ScriptSetup(**first), [from_json(line) for line in rest]
    except (AttributeError, TypeError, ValueError) as error:
        raise NotationError(f"this script cannot be read: {error}") from error


class ScriptedTable:
    """A virtual table at which a script is played.

    Args:
        setting: what stays the same.
        kept: called with each frame's number and JPEG, to keep it.

    Attributes:
        table: what lies there.
    """

    def __init__(
        self, setting: ScriptSetup, kept: Callable[[int, bytes], object] | None = None
    ) -> None:
        self.table = VirtualTable(GAMES[setting.game])
        self._setting: Final = setting
        self._kept: Final = kept
        self._taken = 0
        camera = SimulatedCamera(
            self.table,
            EDITIONS[setting.edition],
            lambda: (self._taken + 1) / setting.fps,
            Renderer(setting.seed, setting.noise),
            (setting.width, setting.height),
            FROSTED if setting.lights == "translucent" else Plastic(setting.opacity),
        )
        self._camera: Final[Camera] = (
            BufferedCamera(camera, setting.late) if setting.late else camera
        )

    def play(self, actions: Iterable[Action]) -> Iterator[Frame]:
        """Does what the script says; gives the frames that the camera takes meanwhile."""
        for action in actions:
            if isinstance(action, Wait):
                for _ in range(action.frames):
                    yield self._frame()
            else:
                action.on(self.table)

    def _frame(self) -> Frame:
        """The next frame, packed and unpacked as a camera's is."""
        frame = self._camera.read()
        assert frame is not None, "nobody closes this camera"
        self._taken += 1
        packed = encode_jpeg(frame.image, self._setting.jpeg)
        if self._kept:
            self._kept(frame.number, packed)
        image = np.asarray(
            cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_COLOR), np.uint8
        )
        return Frame(image, frame.time_s, frame.number, frame.exposure)
