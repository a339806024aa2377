"""Accidents at a table, each a turn of an evening.

An accident plays one turn and states the verdict that it expects. It does nothing if it is not
possible in the position.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from firmware.game.events import Disturbed, MoveAccepted, MoveRefused, Restored, Undone, Withdrawn
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour
from firmware.simulator.mistakes import Mistake, wrong_placement
from firmware.simulator.table import CELL_MM, TablePiece
from tests.evaluation.soak.rendered_game import Misplacement, RenderedGame, ReportedPiece
from tests.support.table_script import Bump, Cup, Leave, Lift, Push, Reach, Switch, Wait

Accident = Callable[[RenderedGame], None]

CAREFUL_MM: Final = 0.4
SLOPPY_MM: Final = 2.0
SLOPPY_DEG: Final = 4.0
LAMPS: Final = ((125.0, 56.0), (40.0, 40.0), (210.0, 65.0), (300.0, 50.0), (90.0, 75.0))
"""Azimuth and elevation of the lamps of the room in degrees."""


def careful(dice: np.random.Generator) -> Misplacement:
    """Returns the error of a piece laid with care."""
    dx_mm, dy_mm = np.clip(dice.normal(0, CAREFUL_MM, 2), -0.7, 0.7).tolist()
    return Misplacement(dx_mm, dy_mm, float(np.clip(dice.normal(0, 0.6), -2, 2)))


def sloppy(dice: np.random.Generator) -> Misplacement:
    """Returns the error of a dropped piece: up to 2 mm and 4 degrees."""
    far, turn = SLOPPY_MM * np.sqrt(dice.random()), dice.uniform(0, 2 * np.pi)
    deg = float(dice.uniform(-SLOPPY_DEG, SLOPPY_DEG))
    return Misplacement(float(far * np.cos(turn)), float(far * np.sin(turn)), deg)


def usual(dice: np.random.Generator) -> Misplacement:
    """Returns the error of a careful or, more rarely, a careless person."""
    return careful(dice) if dice.random() < 0.5 else sloppy(dice)


def moved(colour: Colour, move: Move) -> ReportedPiece:
    return ReportedPiece(MoveAccepted.name, colour, frozenset(move.squares))


def illegal(position: Position, colour: Colour, move: Move) -> ReportedPiece:
    rules = frozenset(one.rule for one in position.examine(move.squares, colour))
    return ReportedPiece(MoveRefused.name, colour, frozenset(move.squares), rules)


def withdrawn(colour: Colour, move: Move) -> ReportedPiece:
    return ReportedPiece(Withdrawn.name, colour, frozenset(move.squares))


def chosen(evening: RenderedGame, position: Position) -> tuple[Colour, Move]:
    """Returns a legal move, most often of a large piece, as people play."""
    colour = position.to_move
    assert colour is not None, "the game is not over"
    moves = position.legal_moves.indices
    picked = [position.board.move(int(moves[evening.dice.integers(len(moves))])) for _ in range(2)]
    return colour, max(picked, key=lambda move: move.piece.size)


def accept(evening: RenderedGame, kind: str, colour: Colour, move: Move) -> None:
    """Expects a legal move to be accepted; straightens a piece that stays in doubt."""
    if evening.expect(kind, moved(colour, move)):
        evening.position = evening.position.play(move)
        return
    if evening.broken:
        return
    evening.slide(colour, move, Misplacement())
    if evening.must(f"{kind}, put straight", moved(colour, move)):
        evening.position = evening.position.play(move)


def lay_carefully(evening: RenderedGame) -> None:
    colour, move = chosen(evening, evening.position)
    evening.place(colour, move, careful(evening.dice))
    accept(evening, "laid with care", colour, move)


def lay_sloppily(evening: RenderedGame) -> None:
    colour, move = chosen(evening, evening.position)
    evening.place(colour, move, sloppy(evening.dice))
    accept(evening, "sloppy", colour, move)


def two_at_once(evening: RenderedGame) -> None:
    """Lays two moves before the first clear frame."""
    first, one = chosen(evening, evening.position)
    after = evening.position.play(one)
    if after.is_over or not (evening.setting.told or evening.position.occupied):
        # The order of two first pieces is unknown, unless the first colour is known.
        return
    second, other = chosen(evening, after)
    if first == second:
        # The order of two pieces of one colour is unknown, too, if the others are out.
        return
    evening.bring(first, one, usual(evening.dice))
    evening.place(second, other, usual(evening.dice))
    if evening.must("two at once", moved(first, one), moved(second, other)):
        evening.position = after.play(other)


def _refused(evening: RenderedGame, kind: str, slip: Mistake) -> tuple[Colour, Move] | None:
    """Lays an illegal piece and expects a refusal."""
    found = wrong_placement(evening.position, slip, evening.dice)
    if found is None or not evening.position.occupied:
        return None
    colour, move = found
    evening.place(colour, move, usual(evening.dice))
    return found if evening.must(kind, illegal(evening.position, colour, move)) else None


def _lifted(evening: RenderedGame, colour: Colour, move: Move) -> None:
    """Has a person take a piece off the board."""
    evening.do(
        Reach(*TablePiece(colour, move).middle_mm, evening.seat(colour)),
        Wait(),
        Lift(colour, str(move)),
        Reach(*TablePiece(colour, move).middle_mm, evening.seat(colour), colour, str(move)),
        Wait(),
        Leave(),
    )


def _taken_back(evening: RenderedGame, kind: str, colour: Colour, move: Move) -> None:
    _lifted(evening, colour, move)
    evening.must(f"{kind}, taken back", withdrawn(colour, move))


def _slip_taken_back(kind: str, slip: Mistake) -> Accident:
    def accident(evening: RenderedGame) -> None:
        found = _refused(evening, kind, slip)
        if found is not None:
            _taken_back(evening, kind, *found)

    return accident


def one_off_slid(evening: RenderedGame) -> None:
    """Lays a piece one square off a legal place, and slides it there after the refusal."""
    found = _refused(evening, "one square off", Mistake.ONE_OFF)
    if found is None:
        return
    colour, wrong = found
    good = [
        move
        for move in evening.position.legal_moves
        if move.piece is wrong.piece and (move.mask & wrong.mask)
    ]
    if not good:
        _taken_back(evening, "one square off", colour, wrong)
        return
    move = good[int(evening.dice.integers(len(good)))]
    evening.slide(colour, move, usual(evening.dice))
    if evening.must("slid to a legal place", withdrawn(colour, wrong), moved(colour, move)):
        evening.position = evening.position.play(move)


def early(evening: RenderedGame) -> None:
    """Lays a piece out of turn; then the colour to move lays one."""
    position = evening.position
    if len(position.game.colours) != 2:
        return
    found = _refused(evening, "out of turn", Mistake.WRONG_TURN)
    if found is None:
        return
    other, early_move = found
    colour, move = chosen(evening, position)
    for _ in range(20):
        if not move.mask & early_move.mask:
            break
        colour, move = chosen(evening, position)
    else:
        _taken_back(evening, "out of turn", other, early_move)
        return
    after = position.play(move)
    evening.place(colour, move, usual(evening.dice))
    if after.to_move == other and early_move in after.legal_moves:
        wanted = [moved(colour, move), moved(other, early_move)]
        after = after.play(early_move)
    else:
        wanted = [moved(colour, move), illegal(after, other, early_move)]
    if not evening.must("judged again after the right move", *wanted):
        return
    evening.position = after
    if wanted[-1].event == MoveRefused.name:
        _taken_back(evening, "out of turn", other, early_move)


def nudged(evening: RenderedGame) -> None:
    """Pushes an accepted piece within its squares, which must have no effect."""
    found = _accepted_piece(evening)
    if found is None:
        return
    off = sloppy(evening.dice)
    evening.slide(*found, Misplacement(off.dx_mm, off.dy_mm, off.deg))
    evening.expect_nothing("nudged")


def lifted(evening: RenderedGame) -> None:
    """Takes the last piece back, and lays it elsewhere or again."""
    before = [
        one
        for one in evening.follower.referee.state.history
        if one.move in evening.position.laid[one.colour]
    ]
    if not before or evening.position.to_move is None:
        return
    colour, move = before[-1].colour, before[-1].move
    _lifted(evening, colour, move)
    undone = ReportedPiece(Undone.name, colour, frozenset(move.squares))
    if evening.must("lifted", undone):
        evening.position = evening.position.lift(move, colour).with_turn(colour)


def disturbed(evening: RenderedGame) -> None:
    """Removes an earlier piece, and puts it back."""
    found = _accepted_piece(evening)
    history = evening.follower.referee.state.history
    if found is None or (history and history[-1].move == found[1]):
        return
    colour, move = found
    seat = evening.seat(colour)
    place = TablePiece(colour, move).middle_mm
    evening.do(Reach(*place, seat), Wait(), Lift(colour, str(move)), Leave())
    if evening.must("swept off", ReportedPiece(Disturbed.name)):
        evening.place(colour, move, usual(evening.dice))
        evening.must("put back", ReportedPiece(Restored.name))


def hand_left(evening: RenderedGame) -> None:
    """Leaves the hand on the piece for a while."""
    colour, move = chosen(evening, evening.position)
    evening.bring(colour, move, usual(evening.dice))
    evening.do(Wait(int(evening.dice.uniform(1, 6) * evening.setting.fps)), Leave())
    accept(evening, "hand left on the piece", colour, move)


def sleeve(evening: RenderedGame) -> None:
    """Reaches across the board, with a sleeve over half of it."""
    colour, move = chosen(evening, evening.position)
    seats = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    x_mm, y_mm = TablePiece(colour, move).middle_mm
    seat = min(range(4), key=lambda s: seats[s][0] * x_mm + seats[s][1] * y_mm)
    evening.place(colour, move, usual(evening.dice), seat=seat)
    accept(evening, "sleeve", colour, move)


def lamp(evening: RenderedGame) -> None:
    """Switches the light during or just after a move."""
    colour, move = chosen(evening, evening.position)
    dice = evening.dice
    brightness, kelvin = dice.uniform(0.45, 1.15), dice.uniform(2700, 7500)
    place = LAMPS[int(dice.integers(len(LAMPS)))]
    switch = Switch(round(float(brightness), 2), round(float(kelvin)), *place)
    if dice.random() < 0.5:
        evening.do(switch)
        evening.place(colour, move, usual(dice))
    else:
        evening.place(colour, move, usual(dice))
        evening.do(Wait(), switch)
    accept(evening, "lamp switched", colour, move)


def cloud(evening: RenderedGame) -> None:
    """Changes the brightness within seconds, during a move."""
    colour, move = chosen(evening, evening.position)
    now = evening.table.scene.lamp
    then = float(evening.dice.uniform(0.5, 1.1))
    kelvin = now.kelvin * float(evening.dice.uniform(0.85, 1.18))
    steps = int(evening.dice.integers(3, 7))
    lights = [
        Switch(
            round(now.brightness + (then - now.brightness) * k / steps, 3),
            round(now.kelvin + (kelvin - now.kelvin) * k / steps),
            now.azimuth_deg,
            now.elevation_deg,
        )
        for k in range(1, steps + 1)
    ]
    first = int(evening.dice.integers(0, steps))
    for light in lights[:first]:
        evening.do(light, Wait())
    evening.place(colour, move, usual(evening.dice))
    for light in lights[first:]:
        evening.do(light, Wait())
    accept(evening, "cloud", colour, move)


def bump(evening: RenderedGame) -> None:
    """Bumps the camera, with or without a hand over the board."""
    colour, move = chosen(evening, evening.position)
    dice = evening.dice
    stand = evening.table.scene.camera
    # Always towards its first place, so that the errors do not add up.
    push = Bump(
        round(float(dice.uniform(-7, 7)) - stand.dx_mm, 1),
        round(float(dice.uniform(-7, 7)) - stand.dy_mm, 1),
        round(float(dice.uniform(-1.5, 1.5)) - stand.roll_deg, 2),
    )
    if dice.random() < 0.5:
        evening.bring(colour, move, usual(dice))
        evening.do(push, Wait(), Leave())
    else:
        evening.do(push)
        evening.place(colour, move, usual(dice))
    accept(evening, "bump", colour, move)


def push(evening: RenderedGame) -> None:
    """Pushes the board over the table, with its pieces."""
    colour, move = chosen(evening, evening.position)
    dice, board = evening.dice, evening.table.scene.board
    pushed = Push(
        round(float(dice.uniform(-6, 6)) - board.dx_mm, 1),
        round(float(dice.uniform(-6, 6)) - board.dy_mm, 1),
        round(float(dice.uniform(-1.5, 1.5)) - board.turn_deg, 2),
    )
    evening.bring(colour, move, usual(dice))
    evening.do(pushed, Wait(), Leave())
    accept(evening, "board pushed", colour, move)


def cup(evening: RenderedGame) -> None:
    """Puts a cup at the edge of the board, makes a move, and removes the cup."""
    colour, move = chosen(evening, evening.position)
    dice = evening.dice
    half = evening.position.game.size * CELL_MM / 2
    along, out = float(dice.uniform(-0.8, 0.8)) * half, half + float(dice.uniform(0, 45))
    x_mm, y_mm = ((along, -out), (out, along), (along, out), (-out, along))[dice.integers(4)]
    evening.do(Cup(round(x_mm, 1), round(y_mm, 1)))
    evening.place(colour, move, usual(dice))
    evening.do(Wait(int(dice.integers(2, 5))), Cup(away=True))
    accept(evening, "cup", colour, move)


def opening(evening: RenderedGame) -> None:
    """Lays the first two pieces with an unknown edition, which may show only with the second."""
    position = evening.position
    first, one = chosen(evening, position)
    evening.place(first, one, usual(evening.dice))
    if evening.expect("first piece, edition unknown", moved(first, one)):
        evening.position = position.play(one)
        return
    if evening.broken:
        return
    after = position.play(one)
    second, other = chosen(evening, after)
    evening.place(second, other, usual(evening.dice))
    if evening.must("second piece, edition unknown", moved(first, one), moved(second, other)):
        evening.position = after.play(other)


def askew(evening: RenderedGame) -> None:
    """Lays a piece visibly askew, and then straightens it."""
    colour, move = chosen(evening, evening.position)
    dx_mm, dy_mm = (evening.dice.uniform(-0.3, 0.3, 2) * CELL_MM).tolist()
    deg = float(evening.dice.choice([-1, 1]) * evening.dice.uniform(5, 11))
    evening.place(colour, move, Misplacement(dx_mm, dy_mm, deg))
    evening.do(Wait(int(evening.dice.integers(1, 4))))
    evening.slide(colour, move, careful(evening.dice))
    accept(evening, "askew, put straight", colour, move)


def _accepted_piece(evening: RenderedGame) -> tuple[Colour, Move] | None:
    """Returns a random accepted piece; None if there is none."""
    found = [(colour, move) for colour, some in enumerate(evening.position.laid) for move in some]
    return found[int(evening.dice.integers(len(found)))] if found else None


ACCIDENTS: Final[dict[Accident, float]] = {
    lay_carefully: 3.0,
    lay_sloppily: 6.0,
    two_at_once: 1.0,
    _slip_taken_back("own side", Mistake.TOUCHES_OWN_SIDE): 1.0,
    _slip_taken_back("no own corner", Mistake.NO_OWN_CORNER): 0.5,
    _slip_taken_back("out of turn", Mistake.WRONG_TURN): 0.6,
    _slip_taken_back("one square off", Mistake.ONE_OFF): 1.0,
    one_off_slid: 1.0,
    early: 0.6,
    nudged: 0.7,
    lifted: 0.5,
    disturbed: 0.5,
    hand_left: 0.4,
    sleeve: 0.8,
    lamp: 0.5,
    cloud: 0.5,
    bump: 0.4,
    push: 0.4,
    cup: 0.5,
    askew: 0.6,
}
"""Weights of the accidents."""
