"""Time of a frame of lights, from the scene to the bytes on the bus, and its current.

Boards of 196 and of 400 LEDs; the last column is relative to one copy of the frame, LED by LED in
Python, timed in the same run.
"""

from typing import Final

from firmware.codes import HintStep, Translucency
from firmware.commands.bench import DiscardingStrip, Rows, Task, median_s
from firmware.drivers.ws2812_spi import encode
from firmware.game.events import Hinted, MoveRefused
from firmware.game.state import GameState, Ply, apply_event
from firmware.lights.led_display import RAMP_S, LedDisplay
from firmware.lights.led_layout import LedLayout
from firmware.lights.scene import Scene, SceneContext, scene
from firmware.rules.position import Position
from firmware.rules.variants import Edition, default_edition
from firmware.simulator.clock import ManualClock

_GAMES: Final = {"duo": 10, "classic": 24}
"""Moves to a middle game, by game."""


def measure() -> Rows:
    """Measures the time of a frame, and the milliamperes of each scene at full brightness."""
    rows: Rows = {}
    for game, plies in _GAMES.items():
        state = _middle(game, plies)
        edition = default_edition(state.position.game)
        rows |= _times(game, state, edition)
        rows |= _currents(game, state, edition)
    return rows


def _times(game: str, state: GameState, edition: Edition) -> Rows:
    size = state.position.game.size
    clock = ManualClock()
    lights = LedDisplay(DiscardingStrip(size**2), LedLayout(size, size), size, clock)
    glows = scene(_refused(state), edition)

    def frame() -> None:
        # Longer than the refresh interval, so that every frame is computed, encoded and sent.
        clock.now_s += 2.5
        lights.show(glows)

    pixels = bytes(3 * size**2)
    work: dict[str, Task] = {
        "a copy in Python": lambda: [tuple(pixels[i : i + 3]) for i in range(0, len(pixels), 3)],
        "a scene": lambda: scene(_refused(state), edition),
        f"a frame of {size**2} LEDs": frame,
        "of it, encoding": lambda: encode(pixels, size**2, "GRB"),
    }
    times = {name: median_s(task) for name, task in work.items()}
    copy = times["a copy in Python"]
    return {
        f"{game}: {name}": {"us": seconds * 1e6, "copies": seconds / copy}
        for name, seconds in times.items()
    }


def _currents(game: str, state: GameState, edition: Edition) -> Rows:
    size = state.position.game.size
    move, colour = next(iter(state.position.legal_moves)), state.position.to_move
    assert colour is not None, "a middle game is not over"
    asked = apply_event(state, Hinted(1, 0.5, 0, colour, move, HintStep.WHOLE))
    rows: Rows = {}
    for pieces in Translucency:
        context = SceneContext(pieces)
        scenes: dict[str, Scene] = {
            "dark": (),
            "turn": scene(state, edition, context),
            "refused": scene(_refused(state), edition, context),
            "hint": scene(asked, edition, context),
            "digit": scene(
                GameState(Position.start(game)), edition, SceneContext(pieces, digits="8")
            ),
        }
        for name, glows in scenes.items():
            rows[f"{game}, {pieces}: {name}"] = {"milliamps": _current(glows, size)}
    return rows


def _current(glows: Scene, size: int) -> float:
    """The largest current of a scene over its blink patterns, in milliamperes."""
    clock = ManualClock()
    wiring = LedLayout(size, size)
    lights = LedDisplay(DiscardingStrip(size**2), wiring, size, clock, brightness=lambda: 1.0)
    found = []
    for step in range(16):
        clock.now_s = 10 * RAMP_S + step / 2
        lights.show(glows)
        found.append(lights.milliamps())
    return max(found)


def _middle(game: str, plies: int) -> GameState:
    position, history = Position.start(game), []
    for _ in range(plies):
        colour = position.to_move
        assert colour is not None, "a middle game is not over"
        legal = position.legal_moves
        move = position.board.move(int(legal.indices[len(legal) // 2]))
        history.append(Ply(colour, move, position))
        position = position.play(move)
    return GameState(position, history=tuple(history))


def _refused(state: GameState) -> GameState:
    """The state with a refused piece that shares a side with its own colour."""
    position = state.position
    colour = position.to_move
    assert colour is not None, "a middle game is not over"
    board = position.board
    beside = board.edge_neighbours(position.squares(colour)) & ~position.occupied
    move = next(
        move
        for move in map(board.move, range(board.placements - 1, -1, -1))
        if move.mask & beside and not move.mask & position.occupied
    )
    violations = position.examine(move.squares, colour)
    return apply_event(
        state, MoveRefused(1, 0.0, colour=colour, squares=move.squares, violations=violations)
    )
