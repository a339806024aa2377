"""What the lights say: few, meant for somebody, and legible without colour."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.events import GameOver, Illegal, Moved
from firmware.game import GameState, fold
from firmware.lights import Lights, corrected, limited, milliamps, serpentine
from firmware.rules.games import default_edition
from firmware.rules.position import Position
from firmware.scene import (
    AGAINST,
    BLINK_PERIOD_S,
    LAST_MOVE,
    LED_INKS,
    OVER,
    REFUSED,
    Glow,
    Rhythm,
    Scene,
    at,
    scene,
    seat,
)
from tests.rules.strategies import played, positions


def lit(state: GameState) -> Scene:
    return scene(state, default_edition(state.position.game))


def after(position: Position, *, moves: int) -> GameState:
    state = GameState(position)
    for _ in range(moves):
        now = state.position
        assert now.to_move is not None
        move = next(iter(now.legal_moves))
        state = fold(state, Moved(1, 0.5, ply=1, colour=now.to_move, move=move, confidence=1.0))
    return state


def test_the_seat_of_the_player_to_move_glows_in_that_colour() -> None:
    (glow,) = lit(GameState(Position.start("duo")))
    assert glow.ink == LED_INKS["purple"]
    assert glow.rhythm is Rhythm.STEADY
    board = Position.start("duo").board
    assert set(board.format_squares(glow.squares).split(",")) == {"a6", "a7", "a8", "a9"}


@pytest.mark.parametrize("game", ["duo", "classic", "classic-teams"])
def test_every_player_has_a_seat_of_their_own(game: str) -> None:
    position = Position.start(game)
    seats = [set(seat(position, colour)) for colour in position.game.colours]
    assert all(len(squares) == 4 for squares in seats)
    assert len(set().union(*seats)) == 4 * len(seats)


def test_two_people_with_four_colours_sit_at_two_edges() -> None:
    position = Position.start("classic-2")
    seats = [set(seat(position, colour)) for colour in position.game.colours]
    assert seats[0] == seats[2] != seats[1] == seats[3]


def test_the_last_move_is_lit() -> None:
    state = after(Position.start("duo"), moves=1)
    assert Glow(state.history[-1].move.squares, LAST_MOVE) in lit(state)


def test_a_refused_piece_blinks_with_the_free_ring_around_it_and_what_it_touches() -> None:
    position = Position.parse("duo free 1 | e10,f10,g10 | j5")
    board = position.board
    squares = tuple(board.parse_squares("h10,i10"))
    state = fold(
        GameState(position),
        Illegal(1, 0.5, colour=0, squares=squares, breaches=position.examine(squares, 0)),
    )
    refused = next(glow for glow in lit(state) if glow.ink == REFUSED)
    assert refused.rhythm is Rhythm.BLINK
    assert set(squares) < set(refused.squares)
    assert set(board.parse_squares("h11,i11,j10,h9,i9")) < set(refused.squares)
    assert board.parse_square("g10") not in refused.squares
    against = next(glow for glow in lit(state) if glow.ink == AGAINST)
    assert against.squares == tuple(board.parse_squares("g10"))


def test_after_the_end_every_seat_says_so() -> None:
    state = fold(GameState(played("duo", 7, 90)), GameOver(1, 0.5, points=(0, 0)))
    assert {glow.ink for glow in lit(state)} == {OVER}


def test_nothing_changes_more_than_three_times_a_second() -> None:
    glows = (Glow((1,), REFUSED, Rhythm.BLINK),)
    shown = [frozenset(at(glows, now / 100)) for now in range(1000)]
    changes = sum(one != other for one, other in pairwise(shown))
    assert changes / 10 <= 3
    assert 2 / BLINK_PERIOD_S <= 3


@settings(max_examples=40)
@given(positions())
def test_few_squares_glow_at_once(position: Position) -> None:
    glows = lit(GameState(position))
    assert sum(len(glow.squares) for glow in glows) <= 16
    for glow in glows:
        assert all(0 <= square < position.board.squares for square in glow.squares)


class Recorded:
    """A strip that keeps what it was told."""

    length = 196

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def write(self, pixels: bytes) -> None:
        self.frames.append(pixels)

    def close(self) -> None:
        pass


def test_a_strip_in_serpentines_lights_the_squares_that_are_meant() -> None:
    strip = Recorded()
    lights = Lights(strip, serpentine(14))
    assert lights.show((Glow((0, 27, 14), (255, 0, 0)),), 0.0) == {0, 27, 14}
    levels = strip.frames[0]
    on = [index for index in range(196) if levels[3 * index]]
    # The second row runs back: n13 is the LED after n14, and a13 the last of the two rows.
    assert on == [0, 14, 27]
    assert [serpentine(14)[index] for index in on] == [0, 27, 14]


def test_a_layout_has_every_square_once() -> None:
    for size in (14, 20):
        assert sorted(serpentine(size)) == list(range(size * size))
    assert serpentine(14)[13:16] == (13, 27, 26)


def test_what_looks_half_as_bright_takes_a_quarter_of_the_level_or_less() -> None:
    assert corrected([(255, 128, 0)], 1.0) == bytes([255, 56, 0])
    assert corrected([(255, 255, 255)], 0.0) == bytes(3)


@given(st.binary(min_size=196 * 3, max_size=196 * 3), st.floats(200, 12_000))
def test_no_frame_draws_more_than_the_supply_gives(levels: bytes, limit: float) -> None:
    dimmed = limited(levels, limit)
    assert milliamps(dimmed) <= max(limit, milliamps(bytes(len(levels))))
    if milliamps(levels) <= limit:
        assert dimmed == levels
    assert all(one <= other for one, other in zip(dimmed, levels, strict=True))
