"""Scenes: few lights, at the seat of the person concerned, and readable without colour."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.codes import EndReason, HintStep, LightPlace, MoveReasonCode, Translucency
from firmware.game.events import (
    ArbiterCalled,
    Candidate,
    ColouredSquares,
    ComputerMove,
    Disturbed,
    EndedByArbiter,
    Hinted,
    MoveAccepted,
    MoveRefused,
    NoMovesLeft,
    Paused,
    Resigned,
    Unsure,
)
from firmware.game.reasons import Reason
from firmware.game.state import GameState, apply_event
from firmware.lights.blink_pattern import (
    BLINK,
    COUNTER,
    SLOW,
    SLOW_COUNTER,
    STEADY,
    STEP_S,
    TWICE,
    WINK,
    is_on,
)
from firmware.lights.digit_font import bars, shape
from firmware.lights.scene import (
    AGAINST,
    CALL,
    CAMERA_AWAY,
    FIELD,
    HINT,
    LAST_MOVE,
    MACHINE_TROUBLE,
    MOST_HINTED,
    NUMBER,
    OTHER_SQUARES,
    REASON,
    REFUSED,
    TURN_ENDS,
    UNSURE,
    WINNER_SQUARES,
    LitSquares,
    Scene,
    SceneContext,
    at,
    ever,
    room_for_digits,
    scene,
    seat,
)
from firmware.rules.board import Move, mask_of
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES, PUZZLES, default_edition
from firmware.simulator.move_choice import solved
from tests.support.led_scenes import showings
from tests.support.random_games import played, positions
from vision.plastics import PLASTICS

CLEAR = SceneContext(pieces=Translucency.TRANSLUCENT)
HOT = SceneContext(machine_trouble=True)
RHYTHMS = (STEADY, BLINK, COUNTER, WINK, SLOW, TWICE)


def lit(state: GameState, context: SceneContext | None = None) -> Scene:
    return scene(state, default_edition(state.position.game), context)


def squares(text: str, size: int = 14) -> tuple[int, ...]:
    return tuple(Position.start("duo" if size == 14 else "classic").board.parse_squares(text))


def inked(scene: Scene, ink: tuple[int, int, int]) -> LitSquares:
    (glow,) = [glow for glow in scene if glow.ink == ink]
    return glow


def after(position: Position, *, moves: int) -> GameState:
    state = GameState(position)
    for _ in range(moves):
        now = state.position
        assert now.to_move is not None
        move = next(iter(now.legal_moves))
        state = apply_event(
            state, MoveAccepted(1, 0.5, ply=1, colour=now.to_move, move=move, confidence=1.0)
        )
    return state


def moved(*moves: str) -> GameState:
    state = GameState(Position.start("duo"))
    for text in moves:
        colour = state.position.to_move
        assert colour is not None
        state = apply_event(
            state,
            MoveAccepted(1, 0.5, ply=1, colour=colour, move=Move.parse(text, 14), confidence=1.0),
        )
    return state


def refusing(position: Position, text: str, colour: int = 0) -> GameState:
    placed = squares(text)
    violations = position.examine(placed, colour)
    return apply_event(
        GameState(position),
        MoveRefused(1, 0.5, colour=colour, squares=placed, violations=violations),
    )


def hinted(state: GameState, text: str, step: HintStep) -> GameState:
    colour = state.position.to_move
    assert colour is not None
    return apply_event(state, Hinted(1, 0.5, 0, colour, Move.parse(text, 14), step))


def test_the_seat_of_the_player_to_move_glows_in_that_colour_between_white_ends() -> None:
    glow, ends = lit(GameState(Position.start("duo")))
    assert glow == LitSquares(squares("a9,a8,a7,a6"), PLASTICS["purple"].led, STEADY)
    assert ends == LitSquares(squares("a9,a6"), TURN_ENDS, STEADY)


@pytest.mark.parametrize("pieces", Translucency)
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_picture_of_a_turn_looks_like_one_of_a_refusal(
    edition: str, pieces: Translucency
) -> None:
    names = EDITIONS[edition]
    for colour in range(len(names)):
        position = Position.start("duo" if len(names) == 2 else "classic").with_turn(colour)
        state = GameState(position)
        turn = list(ever(scene(state, names, SceneContext(pieces))).values())
        wrong = refusing(position, "b2,b3")
        refusal = set(ever(scene(wrong, names, SceneContext(pieces))).values()) - set(turn)
        assert TURN_ENDS in turn
        assert min(apart(TURN_ENDS, ink, kind) for ink in refusal for kind in BLINDNESS) > 20


def test_a_seat_that_pieces_cover_in_part_still_shows_its_colour() -> None:
    for laid, inks in {
        "a6,a7": [TURN_ENDS, PLASTICS["purple"].led],
        "a6,a7,a8": [PLASTICS["purple"].led],
        "a7,a8": [TURN_ENDS, PLASTICS["purple"].led],
        "a6": [TURN_ENDS, PLASTICS["purple"].led, TURN_ENDS],
    }.items():
        position = Position.parse(f"duo free 1 | {laid} | j5")
        shown = ever(lit(GameState(position)))
        assert [shown[square] for square in sorted(shown)] == inks


@pytest.mark.parametrize("game", ["duo", "classic", "classic-teams"])
def test_every_player_has_a_seat_of_their_own(game: str) -> None:
    position = Position.start(game)
    seats = [set(seat(position, colour)) for colour in position.game.colours]
    assert all(len(places) == 4 for places in seats)
    assert len(set().union(*seats)) == 4 * len(seats)


def test_two_people_with_four_colours_sit_at_two_edges() -> None:
    position = Position.start("classic-2")
    seats = [set(seat(position, colour)) for colour in position.game.colours]
    assert seats[0] == seats[2] != seats[1] == seats[3]


def test_who_sits_elsewhere_is_lit_there() -> None:
    state, seated = GameState(Position.start("duo")), SceneContext(seats=(0, 2))
    glow, _ = lit(state, seated)
    assert glow.squares == squares("f1,g1,h1,i1")
    other, _ = lit(GameState(Position.start("duo").with_turn(1)), seated)
    assert other.squares == squares("f14,g14,h14,i14")


def test_the_last_move_is_framed_or_shines_through() -> None:
    state = moved("e10,f10,f9")
    assert inked(lit(state), LAST_MOVE).squares == squares("d11,g11,d8,g8")
    assert set(inked(lit(state, CLEAR), LAST_MOVE).squares) == set(squares("e10,f10,f9"))


def test_a_refused_opaque_piece_blinks_as_the_free_ring_around_it() -> None:
    position = Position.parse("duo free 1 | e10,f10,g10 | j5")
    glows = lit(refusing(position, "h10,i10"))
    ring = inked(glows, REFUSED)
    assert ring.rhythm == BLINK
    assert set(ring.squares) == set(squares("h11,i11,j10,h9,i9"))
    touched = inked(glows, AGAINST)
    assert touched.rhythm == COUNTER
    # The touched square g10 is hidden by its own piece: the free squares beside it are lit.
    assert set(touched.squares) == set(squares("g11,g9"))


def test_a_refused_translucent_piece_blinks_itself_and_what_it_touches() -> None:
    position = Position.parse("duo free 1 | e10,f10,g10 | j5")
    glows = lit(refusing(position, "h10,i10"), CLEAR)
    assert set(inked(glows, REFUSED).squares) == set(squares("h10,i10"))
    assert inked(glows, AGAINST).squares == squares("g10")


def test_of_a_piece_that_touches_nothing_the_corners_that_it_needs_are_shown() -> None:
    position = Position.parse("duo free 1 | e10,f10,g10 | j5")
    corners = inked(lit(refusing(position, "k11,l11")), AGAINST)
    assert corners.rhythm == WINK
    assert set(corners.squares) == set(squares("d11,h11,d9,h9"))


def test_a_panel_shows_the_position_below_everything_else() -> None:
    state = moved("e10,f10,f9")
    lights = at(lit(state, PANEL), 0.0)
    own = [lights[square] for square in squares("e10,f10,f9")]
    assert own == [own[0]] * 3
    older = at(lit(replace(state, history=()), PANEL), 0.0)[squares("e10")[0]]
    assert 0 < sum(older) < sum(own[0]) < sum(PLASTICS["purple"].led)


def test_a_missed_start_is_shown_where_it_is() -> None:
    glows = lit(refusing(Position.start("duo"), "a1,b1"))
    assert set(inked(glows, AGAINST).squares) == set(squares("e10,j5"))


def test_candidates_are_ringed_or_shown_in_turn() -> None:
    one, other = Move.parse("e10,f10", 14), Move.parse("e10,f10,g10", 14)
    state = apply_event(
        GameState(Position.start("duo")),
        Unsure(1, 0.5, candidates=(Candidate(0, one, 0.6), Candidate(0, other, 0.4))),
    )
    ring = inked(lit(state), UNSURE)
    assert ring.rhythm == SLOW
    assert set(ring.squares) == set(squares("e11,f11,g11,h10,g9,f9,e9,d10"))
    rhythms = {glow.rhythm: set(glow.squares) for glow in lit(state, CLEAR) if glow.ink == UNSURE}
    assert rhythms == {COUNTER: set(squares("g10")), STEADY: set(squares("e10,f10"))}


def test_the_computers_piece_is_lit_beside_squares_that_nothing_explains() -> None:
    first, second = (Move.parse(text, 14) for text in ("e10,f10,f9", "g11,g12"))
    chosen = apply_event(GameState(Position.start("duo")), ComputerMove(1, 0.5, 0, first))
    patch = ColouredSquares(None, squares("j5"))
    unclear = apply_event(chosen, Unsure(1, 0.5, candidates=(), unclear=(patch,)))
    ink = PLASTICS[default_edition(GAMES["duo"])[0]].led
    piece = {one.squares for one in lit(unclear) if one.ink == ink}
    assert {(square,) for square in first.squares} <= piece
    assert inked(lit(unclear), UNSURE).rhythm == SLOW
    asked = (Candidate(0, first, 0.6), Candidate(0, second, 0.4))
    in_doubt = apply_event(chosen, Unsure(1, 0.5, candidates=asked))
    assert not {(square,) for square in first.squares} & {one.squares for one in lit(in_doubt)}


def disturbed(*seen: ColouredSquares) -> GameState:
    state = moved("e10,f10,f9", "j5,j6")
    expected = tuple(ColouredSquares(ply.colour, ply.move.squares) for ply in state.history)
    empty = ColouredSquares(None, squares("e10,f10,f9,j5,j6"))
    return apply_event(state, Disturbed(1, 0.5, expected=expected, seen=(empty, *seen)))


def test_pieces_out_of_place_are_guided_back_one_at_a_time() -> None:
    state = disturbed(ColouredSquares(0, squares("b3,c3,c2")), ColouredSquares(1, squares("m2,m3")))
    home, stray = [glow for glow in lit(state) if glow.rhythm in (BLINK, COUNTER)]
    assert home == LitSquares(tuple(sorted(squares("e10,f10,f9"))), PLASTICS["purple"].led, BLINK)
    assert stray.rhythm == COUNTER
    assert set(stray.squares) == set(squares("b4,c4,d3,d2,c1,b2,a3"))
    through = [glow for glow in lit(state, CLEAR) if glow.rhythm == COUNTER]
    assert [set(glow.squares) for glow in through] == [set(squares("b3,c3,c2"))]


def test_a_piece_that_is_gone_is_missed_where_it_belongs() -> None:
    blinking = [glow for glow in lit(disturbed()) if glow.rhythm != STEADY]
    assert [set(glow.squares) for glow in blinking] == [set(squares("e10,f10,f9"))]


def test_after_the_end_the_edge_of_the_winner_is_long() -> None:
    position = played("duo", 7, 90)
    state = apply_event(GameState(position), NoMovesLeft(1, 0.5, points=(0, 0)))
    longest = {glow.ink: glow.rhythm for glow in lit(state, CLEAR)}
    assert len(longest) == 2
    lengths = sorted(len(glow.squares) for glow in lit(state, CLEAR))
    assert lengths in ([OTHER_SQUARES, WINNER_SQUARES], [WINNER_SQUARES] * 2)
    assert all((rhythm == SLOW) == (len(glow.squares) == WINNER_SQUARES)
               for glow, rhythm in ((g, g.rhythm) for g in lit(state, CLEAR)))  # fmt: skip


def test_who_resigned_has_no_long_edge_and_nothing_refused_blinks_on() -> None:
    state = refusing(moved("e10,f10,f9", "j5").position, "a1,b1")
    for event in (Resigned(1, 0.5, (0,)), EndedByArbiter(1, 0.5, EndReason.RESIGNED)):
        state = apply_event(state, event)
    winner, other = (
        inked(lit(state), PLASTICS["orange"].led),
        inked(lit(state), PLASTICS["purple"].led),
    )
    assert (len(winner.squares), winner.rhythm) == (WINNER_SQUARES, SLOW)
    assert (len(other.squares), other.rhythm) == (OTHER_SQUARES, STEADY)
    assert len(lit(state)) == 2


def test_without_a_result_no_edge_is_long() -> None:
    state = apply_event(moved("e10,f10,f9"), EndedByArbiter(1, 0.5, EndReason.ABANDONED))
    assert {len(glow.squares) for glow in lit(state)} == {OTHER_SQUARES}


def test_nothing_blinks_while_the_game_is_paused() -> None:
    state = refusing(Position.start("duo"), "a1,b1")
    assert any(glow.rhythm == BLINK for glow in lit(state))
    assert {glow.rhythm for glow in lit(apply_event(state, Paused(1, 0.5)))} == {STEADY}


def test_a_hint_says_more_with_each_step() -> None:
    state = moved("e10,f10,f9", "j5,j6")
    glows = [
        inked(lit(hinted(state, "g8,h8,i8,i7", step)), HINT)
        for step in (HintStep.AREA, HintStep.SQUARE, HintStep.REACH, HintStep.WHOLE)
    ]
    area, *shapes = ({*glow.squares} for glow in glows)
    assert shapes == [{*squares("g8")}, {*squares("g8,i7")}, {*squares("g8,h8,i8,i7")}]
    edge = {f"{c}{r}" for c in "fghij" for r in range(6, 11)}
    edge -= {f"{c}{r}" for c in "ghi" for r in (7, 8, 9)} | {"f9", "f10", "j6"}
    assert area == {*squares(",".join(sorted(edge)))}, "the edge of the area, where it is free"
    assert {glow.rhythm for glow in glows} == {WINK}
    first = hinted(GameState(Position.start("duo")), "e10,e9", HintStep.WHERE)
    assert inked(lit(first), HINT).squares == squares("e10")


def test_the_squares_of_a_reason_glow_in_turn_with_the_move() -> None:
    state = moved("e10,f10,f9", "j5,j6")
    reasons = (Reason(MoveReasonCode.BLOCKS, 9, ("i7", "k7", "j5")),)
    move = Move.parse("g8,h8,i8,i7", 14)
    glows = lit(apply_event(state, Hinted(1, 0.5, 0, 0, move, HintStep.REASON, reasons)))
    assert {*inked(glows, HINT).squares} == {*move.squares}
    assert {*inked(glows, REASON).squares} == {*squares("i7,k7")}, "j5 is covered"
    assert (inked(glows, HINT).rhythm, inked(glows, REASON).rhythm) == (SLOW, SLOW_COUNTER)


def test_of_many_squares_of_a_reason_the_nearest_glow() -> None:
    state = moved("e10,f10,f9", "j5,j6")
    names = tuple(f"{column}{row}" for column in "abc" for row in range(1, 15))
    move = Move.parse("g8,h8,i8,i7", 14)
    reasons = (Reason(MoveReasonCode.REACHES, len(names), names),)
    glows = lit(apply_event(state, Hinted(1, 0.5, 0, 0, move, HintStep.REASON, reasons)))
    glow = {*inked(glows, REASON).squares}
    assert len(glow) == MOST_HINTED
    assert {*squares("c8")} < glow
    assert not {*squares("a1")} & glow


def test_digits_come_one_after_another_with_dots_for_their_place() -> None:
    glows = lit(GameState(Position.start("duo")), SceneContext(digits="407"))
    assert {glow.ink for glow in glows} == {NUMBER}
    pictures = [at(glows, moment * STEP_S) for moment in range(20)]
    on = [bool(picture) for picture in pictures]
    assert on == 4 * ([True] * 3 + [False]) + [False] * 4
    assert len(pictures[0]) == len(bars(0))
    for place, digit in enumerate("407"):
        assert len(pictures[4 * (place + 1)]) == len(shape(digit, place))
    assert {min(s // 14 for s in picture) for picture in pictures if picture} == {3}


def test_digits_are_drawn_where_pieces_leave_room_or_not_at_all() -> None:
    position = played("duo", 3, 8)
    top, left = room_for_digits(position) or (0, 0)
    glows = lit(GameState(position), SceneContext(digits="88"))
    assert all(not position.occupied >> s & 1 for glow in glows for s in glow.squares)
    assert {s // 14 for glow in glows for s in glow.squares} <= set(range(top, top + 7))
    assert {s % 14 for glow in glows for s in glow.squares} <= set(range(left, left + 4))
    full = next(p for p in (played("duo", seed, 60) for seed in range(50))
                if room_for_digits(p) is None)  # fmt: skip
    assert lit(GameState(full), SceneContext(digits="1")) == ()


@pytest.mark.parametrize("text", ["x", "1234567890123", "1 2"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="digit"):
        lit(GameState(Position.start("duo")), SceneContext(digits=text))


def test_no_two_digits_look_alike() -> None:
    assert len({shape(digit, 0) for digit in "0123456789"}) == 10


def test_the_digits_of_a_pairing_number_come_in_groups_of_four_after_bars() -> None:
    number = "402711118304"
    glows = lit(GameState(Position.start("duo")), SceneContext(digits=number))
    pictures = [frozenset(at(glows, 2 * n)) for n in range(16)]
    expected = [
        symbol
        for group in range(3)
        for symbol in (bars(group), *(shape(number[4 * group + n], n) for n in range(4)))
    ]
    assert [len(squares) for squares in pictures] == [*map(len, expected), 0]
    assert len(set(pictures)) == 16, "no two symbols of it are the same, whatever the digits"


def test_while_a_number_is_shown_the_lights_change_three_times_a_second_at_most() -> None:
    glows = lit(GameState(Position.start("duo")), SceneContext(digits="402711118304"))
    pictures = [at(glows, moment / 20) for moment in range(20 * 70)]
    changes = [n / 20 for n in range(1, len(pictures)) if pictures[n] != pictures[n - 1]]
    assert len(changes) > 60
    assert all(later - one > 1 for one, later in zip(changes, changes[3:], strict=False))


def test_rhythms_are_distinguished_and_change_together() -> None:
    rows = {tuple(is_on(rhythm, step * STEP_S) for step in range(8)) for rhythm in RHYTHMS}
    assert len(rows) == len(RHYTHMS)
    glows = tuple(LitSquares((square,), REFUSED, rhythm) for square, rhythm in enumerate(RHYTHMS))
    pictures = [frozenset(at(glows, now / 100)) for now in range(1000)]
    assert sum(one != other for one, other in pairwise(pictures)) / 10 <= 2
    assert ever(glows).keys() == {0, 1, 2, 3, 4, 5}


STATES = st.builds(GameState, positions())


@settings(max_examples=40)
@given(STATES, st.sampled_from([SceneContext(), CLEAR, HOT]), st.data())
def test_few_squares_glow_at_once(
    state: GameState, context: SceneContext, data: st.DataObject
) -> None:
    position = state.position
    if position.to_move is not None:
        index = data.draw(st.integers(0, position.board.placements - 1))
        placed = position.board.move(index).squares
        violations = position.examine(placed, position.to_move)
        if violations:
            event = MoveRefused(
                1, 0.5, colour=position.to_move, squares=placed, violations=violations
            )
            state = apply_event(state, event)
    glows = lit(state, context)
    moments = [at(glows, step * STEP_S) for step in range(4)]
    assert max(map(len, moments)) <= 32
    for glow in glows:
        assert all(0 <= square < position.board.squares for square in glow.squares)
        if context.pieces is Translucency.OPAQUE:
            assert not any(position.occupied >> square & 1 for square in glow.squares)


# Colour blindness: Machado, Oliveira and Fernandes (2009), "A physiologically-based model for
# simulation of color vision deficiency", IEEE TVCG 15(6), severity 1.0, on linear RGB.
BLINDNESS = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Linear sRGB to CIE XYZ, IEC 61966-2-1, over the white D65.
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(ink: tuple[int, int, int], kind: str) -> np.ndarray:
    """CIE L*a*b* of an ink with a kind of colour blindness."""
    linear = np.clip(np.array(BLINDNESS[kind]) @ (np.array(ink) / 255) ** 2.2, 0, 1)
    x, y, z = np.cbrt(np.maximum(XYZ @ linear / XYZ.sum(axis=1), 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one: tuple[int, int, int], other: tuple[int, int, int], kind: str) -> float:
    return float(np.linalg.norm(lab(one, kind) - lab(other, kind)))


@pytest.mark.parametrize("kind", BLINDNESS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_colours_of_an_edition_are_distinguishable_by_everybody(
    edition: str, kind: str
) -> None:
    inks = [PLASTICS[name].led for name in EDITIONS[edition]]
    pairs = [(a, b) for n, a in enumerate(inks) for b in inks[:n]]
    assert min(apart(a, b, kind) for a, b in pairs) > 20, edition


@pytest.mark.parametrize("kind", BLINDNESS)
def test_refused_and_touched_are_distinguishable_by_everybody(kind: str) -> None:
    assert apart(REFUSED, AGAINST, kind) > 20


def test_without_a_camera_the_corners_of_the_board_pulse_and_nothing_else_is_lit() -> None:
    away = SceneContext(camera_away=True)
    (corners,) = lit(after(Position.start("duo"), moves=4), away)
    assert corners.rhythm == SLOW
    assert corners.ink == CAMERA_AWAY
    assert set(corners.squares) <= set(
        squares("a14,b14,c14,a13,a12,n14,m14,l14,n13,n12,a1,b1,c1,a2,a3,n1,m1,l1,n2,n3")
    )
    (digits, *_) = lit(
        GameState(Position.start("duo")), SceneContext(digits="12", camera_away=True)
    )
    assert digits.ink == NUMBER, "a phone can be paired meanwhile"


def test_dots_along_the_edges_say_that_the_computer_needs_help() -> None:
    state = after(Position.start("duo"), moves=4)
    plain = lit(state)
    (*others, dots) = lit(state, HOT)
    assert tuple(others) == plain, "the lights of the game stay as they are"
    assert dots.ink == MACHINE_TROUBLE
    assert dots.rhythm == TWICE
    assert set(dots.squares) <= set(squares("a14,d14,k14,n14,n11,n4,n1,k1,d1,a1,a4,a11"))
    assert not any(state.position.occupied >> square & 1 for square in dots.squares)


@pytest.mark.parametrize("game", ["duo", "classic"])
@pytest.mark.parametrize("pieces", Translucency)
def test_dots_keep_apart_from_pieces_and_from_the_lights_of_the_game(
    game: str, pieces: Translucency
) -> None:
    shown = showings(played(game, 11, 8), default_edition(GAMES[game]), pieces)
    for name, (state, glows) in shown.items():
        dots = [glow for glow in glows if glow.ink == MACHINE_TROUBLE]
        assert len(dots) == name.startswith("machine-"), name
        for glow in dots:
            others = {square for one in glows if one is not glow for square in one.squares}
            assert others.isdisjoint(glow.squares)
            assert not any(state.position.occupied >> square & 1 for square in glow.squares)


def test_a_number_or_an_absent_camera_is_shown_without_dots() -> None:
    state = after(Position.start("duo"), moves=4)
    for context in (SceneContext(digits="12"), SceneContext(camera_away=True)):
        assert lit(state, replace(context, machine_trouble=True)) == lit(state, context)


def test_no_light_of_the_game_is_like_that_of_the_computer() -> None:
    """A table with trouble differs from one without in shape, ink and rhythm."""
    shown = showings(played("duo", 11, 6), default_edition(GAMES["duo"]), Translucency.OPAQUE)
    for name, (_, glows) in shown.items():
        if not name.startswith("machine-"):
            assert all(glow.ink != MACHINE_TROUBLE for glow in glows), name
            assert all(glow.rhythm != TWICE for glow in glows), name


@pytest.mark.parametrize("kind", BLINDNESS)
def test_the_ink_of_the_dots_is_distinguishable_by_everybody(kind: str) -> None:
    inks = [REFUSED, AGAINST, TURN_ENDS, LAST_MOVE, HINT, REASON, UNSURE, NUMBER, CAMERA_AWAY]
    inks += [plastic.led for plastic in PLASTICS.values()]
    assert min(apart(MACHINE_TROUBLE, ink, kind) for ink in inks) > 20


@pytest.mark.parametrize("kind", BLINDNESS)
def test_the_ink_of_a_call_is_distinguishable_by_everybody(kind: str) -> None:
    inks = [REFUSED, AGAINST, TURN_ENDS, LAST_MOVE, HINT, REASON, UNSURE, NUMBER, CAMERA_AWAY]
    inks += [MACHINE_TROUBLE, *(plastic.led for plastic in PLASTICS.values())]
    assert min(apart(CALL, ink, kind) for ink in inks) > 20


@pytest.mark.parametrize("game", ["duo", "classic"])
@pytest.mark.parametrize("pieces", Translucency)
def test_a_call_is_lit_on_the_edge_where_neither_pieces_nor_other_lights_are(
    game: str, pieces: Translucency
) -> None:
    edition, size = default_edition(GAMES[game]), GAMES[game].size
    for state, _ in showings(played(game, 11, 8), edition, pieces).values():
        calling = replace(state, call=ArbiterCalled(1, 0.5, 0))
        glows = scene(calling, edition, SceneContext(pieces))
        halves = [glow for glow in glows if glow.ink == CALL]
        assert {glow.rhythm for glow in halves} == {SLOW, SLOW_COUNTER}
        squares = {square for glow in halves for square in glow.squares}
        assert all({square // size, square % size} & {0, size - 1} for square in squares)
        assert not any(state.position.occupied >> square & 1 for square in squares)
        others = {square for glow in glows if glow.ink != CALL for square in glow.squares}
        assert others.isdisjoint(squares)


PANEL = SceneContext(place=LightPlace.BESIDE)


def test_on_a_panel_the_squares_of_opaque_pieces_are_lit_themselves() -> None:
    state = refusing(Position.start("duo"), "n14,n13")
    assert inked(lit(state, PANEL), REFUSED).squares == squares("n14,n13")
    assert set(inked(lit(state), REFUSED).squares).isdisjoint(squares("n14,n13"))


def test_a_panel_shows_a_number_in_its_middle_also_over_pieces() -> None:
    position = played("duo", 30, 3)
    digits = replace(PANEL, digits="1")
    assert lit(GameState(position), digits) == lit(GameState(Position.start("duo")), digits) != ()
    assert position.occupied & mask_of(
        s for one in lit(GameState(position), digits) for s in one.squares
    )


def test_dots_on_a_panel_are_lit_where_pieces_lie() -> None:
    position = played("duo", 30, 3)
    trouble = replace(PANEL, machine_trouble=True)
    (on_panel,) = [light for light in lit(GameState(position), trouble) if light.rhythm == TWICE]
    assert position.occupied & mask_of(on_panel.squares)


def test_the_border_of_a_puzzles_field_is_lit_until_something_is_more_urgent() -> None:
    state = GameState(Position.start("puzzle-tetrominoes"))
    board, names = state.position.board, default_edition(state.position.game)
    border = board.parse_squares(
        "i1,i2,i3,i4,i5,i6,i7,i8,i9,i10,i11,a11,b11,c11,d11,e11,f11,g11,h11"
    )
    assert ever(scene(state, names)) == dict.fromkeys(border, FIELD)
    outside = tuple(board.parse_squares("i1,j1,k1,l1"))
    violations = state.position.examine(outside, 2)
    refused = apply_event(state, MoveRefused(1, 0.5, 2, outside, violations))
    assert set(ever(scene(refused, names)).values()) == {REFUSED}
    assert ever(scene(GameState(Position.start("puzzle-all")), names)) == {}


def test_a_solved_puzzle_glows_in_every_colour_at_an_edge_of_its_own() -> None:
    solution = solved(PUZZLES["puzzle-tetrominoes"])
    names = default_edition(solution.game)
    state = GameState(solution, over=True)
    lights = scene(state, names, SceneContext(Translucency.TRANSLUCENT))
    assert [(light.ink, len(light.squares), light.rhythm) for light in lights] == [
        (PLASTICS[name].led, WINNER_SQUARES, SLOW) for name in names
    ]
    given_up = replace(state, ended=EndReason.ABANDONED)
    assert {len(light.squares) for light in scene(given_up, names)} <= {OTHER_SQUARES, 1}
