"""All scenes of lights of a position, for tests, golden pictures and trials."""

from dataclasses import replace
from functools import reduce
from operator import or_

from firmware.codes import LightPlace, MoveReasonCode, Translucency
from firmware.game.events import (
    Candidate,
    ColouredSquares,
    ComputerMove,
    Disturbed,
    Hinted,
    MoveRefused,
    ToLift,
    Unsure,
)
from firmware.game.hints import corners_of, places_of, steps_of
from firmware.game.reasons import Reason
from firmware.game.state import GameState, Ply, apply_event
from firmware.lights.scene import Scene, SceneContext, scene
from firmware.rules.board import Move, squares_of
from firmware.rules.position import Position
from firmware.rules.variants import Edition


def states(position: Position) -> dict[str, GameState]:
    """Returns the states of a game with lights of their own, by name.

    Args:
        position: unfinished position with at least one piece of the colour to move.
    """
    colour = position.to_move
    assert colour is not None
    last = (colour - 1) % len(position.game.colours)
    plain = GameState(
        position,
        history=(Ply(last, position.laid[last][-1], position.lift(position.laid[last][-1], last)),),
    )

    def refused(wrong: Move) -> GameState:
        broken = position.examine(wrong.squares, colour)
        return apply_event(plain, MoveRefused(1, 0.5, colour, wrong.squares, broken))

    legal = list(position.legal_moves)
    middle = legal[len(legal) // 2]
    rivals = (move for move in legal if move != middle and move.mask & middle.mask)
    doubts = tuple(Candidate(colour, move, 0.5) for move in (middle, next(rivals, legal[0])))
    piece = position.laid[colour][0]
    patches = (ColouredSquares(None, piece.squares), ColouredSquares(colour, middle.squares))
    return {
        "turn": plain,
        "refused": refused(_touching(position, colour)),
        "no-corner": refused(_lonely(position, colour)),
        "to-lift": apply_event(plain, ToLift(1, 0.5, colour, middle.squares)),
        "unsure": apply_event(plain, Unsure(1, 0.5, candidates=doubts)),
        "disturbed": apply_event(
            plain,
            Disturbed(1, 0.5, expected=(ColouredSquares(colour, piece.squares),), seen=patches),
        ),
        "over": replace(plain, over=True),
    }


def showings(
    position: Position, edition: Edition, pieces: Translucency
) -> dict[str, tuple[GameState, Scene]]:
    """Returns every scene of a position with its state, by name."""
    game_states = states(position)
    aside = SceneContext(pieces)
    found = {name: (state, scene(state, edition, aside)) for name, state in game_states.items()}
    plain = game_states["turn"]
    move, colour = list(position.legal_moves)[-1], position.to_move
    assert colour is not None
    corners = position.board.corner_neighbours(move.mask) & ~position.occupied
    names = tuple(map(position.board.format_square, squares_of(corners)))
    reasons = (Reason(MoveReasonCode.KEEPS_OPTIONS, 90, names),)
    for step in steps_of(position.game):
        hinted = apply_event(plain, Hinted(1, 0.5, 0, colour, move, step, reasons))
        found[f"hint-{step}"] = hinted, scene(hinted, edition, aside)
    chosen = apply_event(plain, ComputerMove(1, 0.5, colour, move))
    found["chosen"] = chosen, scene(chosen, edition, aside)
    masks = places_of(position, colour, "F").values()
    starts = reduce(or_, masks, 0) & corners_of(position, colour)
    found["places"] = plain, scene(plain, edition, replace(aside, corners=starts))
    beside = replace(aside, place=LightPlace.BESIDE)
    found["chosen-beside"] = chosen, scene(chosen, edition, beside)
    if pieces is Translucency.OPAQUE:  # no piece lies over a panel
        for name, state in game_states.items():
            found[f"{name}-beside"] = state, scene(state, edition, beside)
    away = replace(aside, camera_away=True)
    found["camera-away"] = plain, scene(plain, edition, away)
    hot = replace(aside, machine_trouble=True)
    for name in ("turn", "refused", "over"):
        state = game_states[name]
        found[f"machine-{name}"] = state, scene(state, edition, hot)
    found["digits"] = plain, scene(plain, edition, replace(aside, digits="402711118304"))
    return {name: (state, glows) for name, (state, glows) in found.items() if glows}


def _lonely(position: Position, colour: int) -> Move:
    """Returns a placement of the colour in hand that touches none of its own pieces."""
    board, own = position.board, position.squares(colour)
    near = position.occupied | board.edge_neighbours(own) | board.corner_neighbours(own)
    used = {move.piece for move in position.laid[colour]}
    moves = (board.move(index) for index in range(board.placements - 1, -1, -1))
    return next(move for move in moves if not move.mask & near and move.piece not in used)


def _touching(position: Position, colour: int) -> Move:
    """Returns a placement of the colour on free squares that touches its own side."""
    board = position.board
    touching = board.edge_neighbours(position.squares(colour)) & ~position.occupied
    used = {move.piece for move in position.laid[colour]}
    for index in range(board.placements - 1, -1, -1):
        move = board.move(index)
        free = not move.mask & position.occupied
        if free and move.mask & touching and move.piece not in used:
            return move
    raise ValueError("there is no room beside the colour's own pieces")
