"""A table with rendered pictures, as a camera without wires and as JPEGs of a stream."""

from collections.abc import Iterator, Sequence
from typing import Final

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Variant, default_edition
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.move_choice import sensibly
from firmware.simulator.table import Hand, TablePiece, VirtualTable
from vision.camera import Frame, NoFrame
from vision.io.image_file import encode_jpeg
from vision.synthetic.renderer import Renderer

SIZE: Final = (640, 480)
STEP_S: Final = 0.5
"""Seconds between two frames."""

CLEARED: Final = 20
"""Frames in which a board counts as cleared, and the next game is begun: where many pieces vanish
at once, the reader takes a hand for granted for 4 s."""


Laid = tuple[Colour, Move]
"""A placement and its colour."""


def whole_game(game: Variant, seed: int) -> list[Laid]:
    """Returns a game of people who lay large pieces first."""
    position, choose, moves = Position.start(game), sensibly(seed), []
    while position.to_move is not None:
        move = choose(position)
        moves.append((position.to_move, move))
        position = position.play(move)
    return moves


class RenderedTable:
    """A table in view of a camera that takes two pictures a second.

    Args:
        game: the game whose board lies on it.
        seed: seed of the noise.
        size: width and height of a frame in pixels.

    Attributes:
        size: width and height of a frame in pixels, as of `LiveCamera`.
        name: name of the camera, as of `LiveCamera`.
        is_recording: True, so that each frame is waited for, as of `LiveCamera`.
        is_cropped: False, as of `LiveCamera`.
    """

    name = "rendered camera"
    is_recording = True
    is_cropped = False

    def __init__(self, game: Variant, seed: int = 1, size: tuple[int, int] = SIZE) -> None:
        self.size: tuple[int, int] | None = size
        self._pixels: Final = size
        self._renderer: Final = Renderer(seed)
        self.now = 0.0
        self._camera: SimulatedCamera | None = None
        self.put(game)

    def put(self, game: Variant) -> None:
        """Puts another board on the table."""
        number = self._camera.number if self._camera else 0
        self.table = VirtualTable(game)
        edition = default_edition(game)
        self._camera = SimulatedCamera(
            self.table, edition, lambda: self.now, self._renderer, self._pixels, after=number
        )

    def read(self) -> Frame | NoFrame:
        """Returns the next frame."""
        assert self._camera is not None
        self.now += STEP_S
        return self._camera.read() or NoFrame()

    def close(self) -> None:
        """Does nothing: the next program takes the same camera."""

    # People

    def reach(self) -> None:
        """Puts a hand over the board."""
        self.table.move_hand(Hand(30.0, -20.0, 3))

    def leave(self) -> None:
        """Takes the hand away."""
        self.table.move_hand(None)

    def lay(self, colour: Colour, move: Move) -> None:
        """Lays a piece."""
        self.table.lay(TablePiece(colour, move))

    def clear(self) -> None:
        """Takes every piece off the board."""
        for placed in self.table.scene.pieces:
            self.table.lift(placed.colour, placed.move.piece)

    # As a film

    def jpegs(self, frames: int) -> Iterator[bytes]:
        """Yields the next frames as JPEG."""
        for _ in range(frames):
            frame = self.read()
            assert isinstance(frame, Frame)
            yield encode_jpeg(frame.image, 90)

    def game(self, moves: Sequence[Laid], swap: bool = False) -> Iterator[bytes]:  # noqa: FBT001, FBT002
        """Yields the frames of placements.

        Args:
            moves: colour and placement of each, by the order of play.
            swap: True if the second colour of plastic is laid first, in a game of two colours.
        """
        for colour, move in moves:
            self.reach()
            yield from self.jpegs(1)
            self.lay(1 - colour if swap else colour, move)
            self.leave()
            yield from self.jpegs(4)

    def cleared(self) -> Iterator[bytes]:
        """Yields the frames in which a hand clears the board, and it lies empty."""
        self.reach()
        yield from self.jpegs(2)
        self.clear()
        self.leave()
        yield from self.jpegs(CLEARED)
