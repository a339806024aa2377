"""Whole games: the glowing LEDs, decoded from the wire at every frame, agree with the scene."""

import random
from dataclasses import dataclass, field

import numpy as np
import pytest

from firmware.assembly.led_strip import build_led_layout
from firmware.codes import ChainCorner, ChainDirection, Translucency
from firmware.drivers.ws2812_spi import Ws2812Spi
from firmware.game.events import Moment, MoveAccepted, MoveRefused
from firmware.lights.led_display import LedDisplay
from firmware.lights.power_budget import PowerSupply, corrected
from firmware.lights.scene import SceneContext, at, scene
from firmware.referee.referee import Phase, Referee
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.settings import LightsSettings
from firmware.simulator.spi_line import SpiLine
from firmware.simulator.ws2812_chain import Ws2812Chain
from tests.support.noisy_board import NoisyBoard
from vision.camera import Frame
from vision.plastics import Rgb

pytestmark = pytest.mark.slow

FRAME_S = 0.1
HAND_FRAMES = 6
NO_PICTURE = np.zeros((1, 1, 3), np.uint8)
WIRED = LightsSettings(
    columns=22, rows=22, left=1, top=2, first=ChainCorner.BOTTOM_RIGHT, along=ChainDirection.COLUMNS
)
FOUR = ("blue", "yellow", "red", "green")


@dataclass
class LitGame:
    """A game whose frames are readings of a lit board.

    Attributes:
        late: number of frames in the camera's buffers; above 0 it gives no times.
        fooled: number of frames that counted as dark and were exposed while an LED glowed.
    """

    game: str
    pieces: Translucency
    seed: int
    late: int = 0
    now: float = 0.0
    frame: int = 0
    shown: list[tuple[dict[int, Rgb], dict[int, Rgb]]] = field(default_factory=list)
    fooled: int = 0
    moves: int = 0
    refusals: int = 0

    def __post_init__(self) -> None:
        self.truths: list[bool] = []
        self.chance = random.Random(self.seed)  # noqa: S311
        position = Position.start(self.game)
        self.size = position.game.size
        self.palette = FOUR if self.size == 20 else ("purple", "orange")
        self.table = NoisyBoard(self.size, self.palette)
        self.referee = Referee(position, self.palette, first=self.palette[0], turned=0)
        wiring = build_led_layout(WIRED, self.size)
        self.layout = wiring.layout(self.size)
        self.chain = Ws2812Chain(len(self.layout), lambda: self.now)
        strip = Ws2812Spi(SpiLine(self.chain, largest=1 << 16), self.chain.length)
        supply = PowerSupply(50_000)
        self.lights = LedDisplay(
            strip,
            wiring,
            self.size,
            lambda: self.now,
            supply=supply,
            brightness=lambda: 1.0,
        )

    def step(self, *, hand: bool = False) -> None:
        """Reads one frame with the lit squares hidden, then updates the lights."""
        self.now += FRAME_S
        self.frame += 1
        exposure = None if self.late else (self.now - 0.02, self.now)
        lit = self.lights.seen_in(Frame(NO_PICTURE, self.now, self.frame, exposure))
        self.truths.append(any(map(any, self.chain.shown)))
        self.fooled += not lit and self.truths[max(0, self.frame - 1 - self.late)]
        self.table.covered = set(lit)
        reading = self.table.reading(hand=hand)
        for event in self.referee.see(reading, Moment(self.frame, self.now), dark=not lit):
            self.moves += isinstance(event, MoveAccepted)
            self.refusals += isinstance(event, MoveRefused)
        self._show()

    def _show(self) -> None:
        referee = self.referee
        dark = referee.phase in (Phase.SETTLING, Phase.BOARD_LOST)
        glows = scene(referee.state, referee.edition, SceneContext(self.pieces))
        self.lights.show(glows, dark=dark)
        self.shown.append(({} if dark else at(glows, self.now), self._decoded()))

    def _decoded(self) -> dict[int, Rgb]:
        """Returns the glowing squares and their colours, from the bytes on the wire."""
        return {
            square: one
            for square, one in zip(self.layout, self.chain.shown, strict=True)
            if square is not None and any(one)
        }

    def hand(self) -> None:
        for _ in range(HAND_FRAMES):
            self.step(hand=True)

    def settle(self) -> None:
        for _ in range(12):
            self.step()

    def lay(self, move: Move) -> None:
        state = self.referee.state
        colour = state.position.to_move
        assert colour is not None
        self.hand()
        self.table.lay(self.palette[colour], move)
        self.settle()

    def play(self, plies: int) -> None:
        self.settle()
        while self.moves < plies and not self.referee.state.over:
            position = self.referee.state.position
            board, legal = position.board, position.legal_moves
            if self.chance.random() < 0.4:
                wrong = board.move(self.chance.randrange(board.placements))
                if not wrong.mask & position.occupied and wrong not in legal:
                    self.lay(wrong)
                    self.hand()
                    self.table.lift(wrong)
                    self.settle()
            self.lay(board.move(int(self.chance.choice(legal.indices))))


def emitted(inks: dict[int, Rgb]) -> dict[int, Rgb]:
    """Returns the emitted colours of inks at full brightness."""
    if not inks:
        return {}
    levels = corrected(np.array(list(inks.values()), np.uint8), 1.0).tolist()
    return {square: (r, g, b) for square, (r, g, b) in zip(inks, levels, strict=True)}


@pytest.mark.parametrize(
    ("game", "pieces", "plies"), [("duo", "opaque", 100), ("duo", "translucent", 100),
                                  ("classic", "opaque", 16)]
)  # fmt: skip
def test_what_glows_is_what_the_referee_meant(game: str, pieces: str, plies: int) -> None:
    evening = LitGame(game, Translucency(pieces), 4)
    evening.play(plies)
    assert evening.moves > 15
    assert evening.refusals > 1
    assert evening.fooled == 0
    held = 0
    # The first fade-in ends before the eleventh frame.
    for (_, before), (meant, glows) in zip(evening.shown[10:], evening.shown[11:], strict=False):
        if glows != emitted(meant):
            # At most three changes a second: until then the lights stay unchanged.
            assert glows == before
            held += 1
    assert held < 0.35 * len(evening.shown)
    assert any(len(glows) > 4 for _, glows in evening.shown)


def test_a_camera_with_buffers_decides_in_the_dark_too() -> None:
    evening = LitGame("duo", Translucency.OPAQUE, 4, late=4)
    evening.play(12)
    assert evening.moves >= 12
    assert evening.fooled == 0
