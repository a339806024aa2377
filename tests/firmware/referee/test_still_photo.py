import json
import random
from dataclasses import replace

import numpy as np
import pytest

from firmware.codes import Rule
from firmware.referee.still_photo import StillPhoto, examine_picture
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.noisy_board import NoisyBoard
from tests.support.random_games import played

FOUR = ("blue", "yellow", "red", "green")
FIRST = "e10,f10,f9,g9,g8"
SECOND = "j5,j6,j7,k7"


def duo(*, turned: int = 0) -> NoisyBoard:
    table = NoisyBoard(turned=turned, sure=9.0)
    table.lay("purple", FIRST)
    table.lay("orange", SECOND)
    return table


def impossible() -> NoisyBoard:
    """Returns a board on which one square of an orange piece is purple."""
    table = duo()
    table.lift("k7")
    table.lay("purple", "k7")
    return table


def examine(table: NoisyBoard, game: str = "duo") -> StillPhoto:
    return examine_picture(table.reading(), GAMES[game])


def seen_at(table: NoisyBoard, names: str) -> set[int]:
    """Returns the places of squares in the reader's frame."""
    squares = np.arange(table.size**2).reshape(table.size, table.size)
    seen = np.rot90(squares, table.turned // 90).ravel().tolist()
    return {seen.index(square) for square in table.squares(names)}


def test_a_foreign_square_is_named_and_unsure_although_the_rules_confirm_it() -> None:
    reading = duo().reading()
    foreign = np.zeros(len(reading.probabilities), np.bool_)
    foreign[[0, 60]] = True
    line = examine_picture(replace(reading, foreign=foreign), GAMES["duo"]).to_json()
    assert line["unsure"] == line["foreign"] == ["a14", "e10"]


def test_a_possible_position_has_its_pieces_its_score_and_no_problem() -> None:
    line = examine(duo()).to_json()
    assert line["problems"] == []
    assert line["score"] == {"purple": -84, "orange": -85}
    assert line["pieces"] == [
        {"color": "purple", "piece": "W", "cells": ["g8", "f9", "g9", "e10", "f10"]},
        {"color": "orange", "piece": "L4", "cells": ["j5", "j6", "j7", "k7"]},
    ]
    assert line["cells"][4] == "....PP........"
    assert (line["edition"], line["game"], line["size"]) == ("purple-orange", "duo", 14)
    assert (line["unsure"], line["repaired"], line["found"]) == ([], [], True)
    assert line["confidence"] > 0.98
    json.dumps(line)


def test_pieces_of_one_colour_that_touch_are_divided_where_they_are_seen_to_end() -> None:
    table = NoisyBoard(sure=9.0)
    table.lay("purple", "e10,f10,g10,h10,i10,j10")
    reading = table.reading()
    assert {one.violation.rule for one in examine_picture(reading, GAMES["duo"]).problems} == {
        Rule.NOT_A_PIECE
    }
    ends = np.full((196, 2), -5.0, np.float32)
    ends[table.squares("f10"), 0] = 5.0
    found = examine_picture(replace(reading, ends=ends), GAMES["duo"])
    assert sorted(len(one.squares) for one in found.pieces) == [2, 4]
    assert Rule.TOUCHES_OWN_SIDE in {one.violation.rule for one in found.problems}


def test_a_board_that_lies_the_other_way_round_is_possible_and_keeps_the_readers_squares() -> None:
    line = examine(duo(turned=90)).to_json()
    assert line["problems"] == []
    # e10 of the game's frame is e5 of a reader's that lies a quarter turn before it.
    assert "e5" in line["pieces"][0]["cells"]
    assert line["cells"][9][4] == "P"


def test_impossible_contact_is_reported_with_its_squares() -> None:
    table = duo()
    table.lay("purple", "g7,h7,h6")
    found = examine(table)
    assert [one.violation.rule for one in found.problems] == [Rule.NOT_A_PIECE]
    table.lift("g7,h7,h6")
    table.lay("purple", "a1")
    (problem,) = examine(table).to_json()["problems"]
    assert problem == {
        "rule": "no-own-corner",
        "color": "purple",
        "squares": ["a1"],
        "against": [],
    }


def test_one_doubtful_square_is_repaired_where_only_that_makes_the_position_possible() -> None:
    table = impossible()
    table.blur("k7", orange=5.0, purple=5.6)
    found = examine(table).to_json()
    assert found["repaired"] == ["k7"]
    assert found["problems"] == []
    assert found["cells"][7][10] == "O"
    assert "k7" in found["unsure"]


def test_a_square_that_is_seen_well_is_never_repaired() -> None:
    table = impossible()
    found = examine(table)
    assert found.repaired == ()
    assert found.problems


def test_a_square_that_is_seen_well_enough_is_not_repaired_though_another_is_thinkable() -> None:
    table = impossible()
    table.blur("k7", orange=5.0, purple=9.8)
    found = examine(table)
    assert found.repaired == ()
    assert found.problems
    assert found.unsure == tuple(table.squares("k7"))


def test_where_two_repairs_are_possible_none_is_made() -> None:
    table = impossible()
    # Orange it would be a piece of four, empty one of three.
    table.blur("k7", orange=2.0, purple=2.6)
    found = examine(table)
    assert found.repaired == ()
    assert found.problems
    assert len(found.unsure) == 1


def test_a_possible_position_is_not_repaired_however_doubtful_it_is() -> None:
    table = duo()
    table.blur("k7", orange=0.4)
    assert examine(table).repaired == ()


def test_a_doubt_is_settled_where_only_what_is_seen_is_possible() -> None:
    table = duo()
    table.blur("n14", purple=-1.8)
    assert examine(table).to_json()["unsure"] == []
    table.blur("n14", purple=-0.1)
    assert examine(table).to_json()["unsure"] == ["n14"]


def test_a_doubt_stays_where_both_are_possible() -> None:
    table = duo()
    table.blur("d11", purple=-1.8)
    assert examine(table).to_json()["unsure"] == ["d11"]


def test_a_doubt_stays_where_another_square_may_be_wrong_too() -> None:
    table = duo()
    # A tile on d12 alone would touch no corner; with one on d11 it is a legal piece.
    table.blur("d12", purple=-1.8)
    assert examine(table).to_json()["unsure"] == []
    table.blur("d11", purple=-1.8)
    assert examine(table).to_json()["unsure"] == ["d12", "d11"]


def test_where_very_many_squares_may_be_wrong_together_no_doubt_is_settled() -> None:
    table = duo()
    for column in "abcdefghijklmn":
        for row in range(1, 6):
            if f"{column}{row}" not in SECOND.split(","):
                table.blur(f"{column}{row}", purple=-4.55)
    table.blur("a2", purple=-1.8)
    assert examine(table).to_json()["unsure"] == ["a2"]


def test_an_impossible_position_with_many_doubtful_squares_is_doubted_more() -> None:
    table = impossible()
    # They are doubtful, but explain nothing.
    for square in ("n14", "m14", "l14", "n12"):
        table.blur(square, purple=-0.1)
    assert len(examine(table).unsure) == 4
    table.blur("m12", purple=-0.1)
    reading = table.reading()
    better = reading.probabilities.copy()
    better[:100] **= 0.6
    better[100:] **= 3
    better /= better.sum(axis=1, keepdims=True)
    found = examine_picture(replace(reading, probabilities=better), GAMES["duo"])
    assert found.problems
    assert found.unsure == tuple(range(100))


@pytest.mark.parametrize("turned", [0, 90])
def test_a_piece_that_may_lie_unseen_leaves_its_squares_unsure(turned: int) -> None:
    table = duo(turned=turned)
    for square in ("h7", "h6", "i6"):
        table.blur(square, purple=-4.2)
    found = examine(table)
    assert found.problems == ()
    assert set(found.unsure) == seen_at(table, "h7,h6,i6")
    table.blur("h6", purple=-6.0)
    # A piece of one square may still lie there.
    assert set(examine(table).unsure) == seen_at(table, "h7")


def test_a_piece_that_may_have_another_of_four_colours_is_unsure() -> None:
    table = NoisyBoard(14, FOUR, sure=9.0)
    table.lay("red", "e10,f10,f9")
    for square in ("e10", "f10", "f9"):
        table.blur(square, red=4.2, green=0.0, blue=-9.0, yellow=-9.0)
    assert set(examine(table, "duo-4").unsure) == seen_at(table, "e10,f10,f9")


def test_the_rules_settle_a_doubt_beside_few_others_only() -> None:
    table = duo()
    for square in ("n14", "m12", "n10", "m8", "a14", "a12", "c14", "a8"):
        table.blur(square, purple=-1.8)
    assert examine(table).unsure == ()
    table.blur("a5", purple=-1.8)
    assert len(examine(table).unsure) == 9


def test_hidden_squares_are_marked_and_excuse_what_they_may_explain() -> None:
    table = duo()
    table.lay("orange", "l8")
    table.lay("orange", "n10")
    assert [one.violation.rule for one in examine(table).problems] == [
        Rule.PIECE_USED,
        Rule.NO_OWN_CORNER,
        Rule.WRONG_TURN,
    ]
    table.covered = set(table.squares("m9,m10,n9"))
    found = examine(table)
    assert found.rows[5][12] == "?"
    assert found.problems == ()
    assert set(table.covered) <= set(found.unsure)


def test_of_four_colours_a_picture_does_not_tell_who_began_or_who_plays() -> None:
    table = NoisyBoard(20, FOUR, sure=9.0)
    table.lay("yellow", "t20,s20,r20")
    table.lay("red", "t1,s1,r1")
    table.lay("red", "q2,p2")
    assert examine(table, "classic").problems == ()


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_played_is_found_again(game: str, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    position = played(game, seed, chance.randrange(99))
    palette = FOUR if len(position.game.colours) == 4 else ("purple", "orange")
    table = NoisyBoard(position.game.size, palette, noise=0.5, seed=seed)
    for colour, laid in enumerate(position.laid):
        for move in laid:
            table.lay(palette[colour], move)
    found = examine(table, game)
    assert found.problems == ()
    assert {(one.colour, one.squares) for one in found.pieces} == {
        (palette[colour], move.squares)
        for colour, laid in enumerate(position.laid)
        for move in laid
    }
    shared = position.game.shared
    assert [name for name, points in found.points.items() if points is None] == (
        [] if shared is None else [palette[shared]]
    )


def test_another_size_or_palette_than_the_games_is_an_error() -> None:
    with pytest.raises(ValueError, match="20x20"):
        examine_picture(NoisyBoard().reading(), GAMES["classic"])
    with pytest.raises(ValueError, match="4 colours"):
        examine_picture(NoisyBoard().reading(), GAMES["duo-4"])


def test_an_empty_board_is_possible() -> None:
    found = examine(NoisyBoard())
    assert found.pieces == ()
    assert found.problems == ()
    assert np.isclose(found.confidence, 0.987, atol=0.01)
    assert Position.start("duo").rows("PO") == list(found.rows)
