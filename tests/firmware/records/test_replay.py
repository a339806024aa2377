"""Replay of the record of a puzzle: any order of colours, liftings, and the rules of the puzzle."""

import pytest

from firmware.codes import Rule
from firmware.records.record import Record
from firmware.records.replay import (
    Entry,
    ReplayedLifting,
    ReplayedMove,
    ReplayedSetup,
    replay,
)
from firmware.rules.board import Move
from firmware.rules.errors import RecordError
from firmware.rules.position import Position
from firmware.rules.puzzle_faults import is_solved
from firmware.rules.variants import PUZZLES
from tests.support.solved_puzzles import TETROMINOES, TETROMINOES_APART, moves_of


def move(text: str) -> Move:
    return Move.parse(text, 20)


def entries(record: Record) -> list[Entry]:
    return list(replay(Record.read(record.write())))


def puzzle(key: str, text: str) -> list[Entry]:
    return list(replay(Record.read(f"(;GM[Blokus]CLGAME[puzzle-{key}]{text})".encode())))


@pytest.mark.parametrize("solved", [TETROMINOES, TETROMINOES_APART])
def test_the_colours_are_laid_in_any_order(solved: Position) -> None:
    record = Record.new(solved.game)
    for colour, one in reversed(moves_of(solved)):
        record.play(one, colour)
    found = [entry for entry in entries(record) if isinstance(entry, ReplayedMove)]
    assert [entry.number for entry in found] == list(range(1, 21))
    assert all(entry.violations == () for entry in found)
    assert is_solved(found[-1].after)
    assert len(found) == len(entries(record)), "nobody passes"


@pytest.mark.parametrize(
    ("key", "text", "rule", "squares"),
    [
        ("tetrominoes", ";1[h1,i1,j1,k1]", Rule.OUTSIDE_FIELD, "i1,j1,k1"),
        ("tetrominoes", ";1[a1,b1,c1]", Rule.WRONG_SIZE, "a1,b1,c1"),
        ("tetrominoes", ";1[a1,a2,a3,a4];3[a4,a5,a6,a7]", Rule.OVERLAP, "a4"),
        ("tetrominoes", ";1[a1,a2,a3,a4];1[b1,b2,b3,b4]", Rule.PIECE_USED, "b1,b2,b3,b4"),
        (
            "tetrominoes-apart",
            ";1[a1,a2,a3,a4];1[b4,b5,c4,c5]",
            Rule.TOUCHES_OWN_SIDE,
            "b4",
        ),
        ("all-by-size", ";1[a1,a2,a3,a4]", Rule.WRONG_SIZE, "a1,a2,a3,a4"),
        ("all", ";4[b1,b2,b3,b4,b5]", Rule.MISSES_START, "b1,b2,b3,b4,b5"),
    ],
)
def test_an_illegal_move_has_the_rule_of_the_puzzle_and_its_squares(
    key: str, text: str, rule: Rule, squares: str
) -> None:
    last = puzzle(key, text)[-1]
    assert isinstance(last, ReplayedMove)
    assert not last.stands
    (broken,) = last.violations
    board = last.before.board
    assert broken.rule is rule
    assert set(broken.squares) == set(board.parse_squares(squares))


def test_an_overruled_piece_stands_and_stays_on_the_board() -> None:
    record = Record.new(PUZZLES["puzzle-tetrominoes"])
    record.play(move("h1,i1,j1,k1"), 0, overruled=[Rule.OUTSIDE_FIELD])
    record.play(move("a1,a2,a3,a4"), 0, overruled=[Rule.PIECE_USED])
    first, second = entries(record)
    assert isinstance(first, ReplayedMove)
    assert isinstance(second, ReplayedMove)
    assert first.stands
    assert second.stands
    assert second.after.laid[0] == (move("h1,i1,j1,k1"), move("a1,a2,a3,a4"))
    # Pentobi refuses to open a record in which a piece is played twice.
    assert b";CLMOVE[1:a1,a2,a3,a4]" in record.write()


def test_any_piece_is_lifted_and_may_be_laid_again() -> None:
    record = Record.new(TETROMINOES.game)
    pieces = moves_of(TETROMINOES)
    for colour, one in pieces[:3]:
        record.play(one, colour)
    record.lift(pieces[0][1])
    record.lift(pieces[2][1])
    record.play(pieces[0][1], pieces[0][0])
    found = entries(record)
    lifted = [entry for entry in found if isinstance(entry, ReplayedLifting)]
    assert [entry.lifted for entry in lifted] == [(pieces[0],), (pieces[2],)]
    assert [entry.after_ply for entry in lifted] == [3, 3]
    last = found[-1]
    assert isinstance(last, ReplayedMove)
    assert (last.number, last.violations) == (4, ())
    assert last.after.laid[0] == (pieces[1][1], pieces[0][1])


def test_a_lifting_that_leaves_a_piece_without_its_corner_is_a_fault() -> None:
    text = ";1[a20,b20,c20,d20,e20];1[f19,g19,h19,i19];1[j18,j17];AE[f19,g19,h19,i19]"
    *_, lifting = puzzle("all", f"{text}CLUNDONE[lifted]")
    assert isinstance(lifting, ReplayedLifting)
    (problem,) = lifting.problems
    assert (problem.colour, problem.violation.rule) == (0, Rule.NO_OWN_CORNER)
    assert set(problem.violation.squares) == set(lifting.after.board.parse_squares("j17,j18"))
    *_, together = puzzle("all", f"{text}[j18,j17]CLUNDONE[lifted]")
    assert isinstance(together, ReplayedLifting)
    assert len(together.lifted) == 2
    assert together.problems == (), "both are lifted together"


def test_a_fault_that_was_there_before_is_no_fault_of_the_lifting() -> None:
    text = ";1[a20,b20,c20,d20,e20];2[b1,b2]CLOVERRULED[misses-start];AE[a20,b20,c20,d20,e20]"
    *_, lifting = puzzle("all", f"{text}CLUNDONE[lifted]")
    assert isinstance(lifting, ReplayedLifting)
    assert lifting.problems == ()


def test_pieces_set_by_hand_are_judged_by_the_rules_of_the_puzzle() -> None:
    right, wrong = (
        puzzle("tetrominoes", f"A1[a1,a2,a3,a4]{more}PL[3]")[0]
        for more in ("A2[b1,b2,b3,b4]", "A1[a1,a2,a3,a4][k1,k2,l1,l2]")
    )
    assert isinstance(right, ReplayedSetup)
    assert isinstance(wrong, ReplayedSetup)
    assert (right.problems, right.after.turn) == ((), 0)
    assert {one.violation.rule for one in wrong.problems} == {Rule.OUTSIDE_FIELD}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (";1[a1,a2,a3,a4];AE[b1,b2,b3,b4]CLUNDONE[lifted]", "cannot be lifted: it is not on the"),
        (";1[a1,a2,a3,a4];AE[b1,q]CLUNDONE[lifted]", "AE"),
        (";1[a1,a2,a3,a4];5[b1,b2,b3,b4]", None),
        (";B[a1,a2,a3,a4]", "'B' is no colour of Tetrominoes"),
        (";1[a1,a2,a3,a4]2[b1,b2,b3,b4]", "two moves"),
        ("CLSECONDS[nan]", "no number of seconds"),
        ("CLSECONDS[-1]", "no number of seconds"),
    ],
)
def test_a_broken_record_is_one_sentence(text: str, words: str | None) -> None:
    if words is None:
        assert len(puzzle("tetrominoes", text)) == 1, "an unknown property is no move"
        return
    with pytest.raises(RecordError, match=words) as caught:
        puzzle("tetrominoes", text)
    assert "\n" not in str(caught.value)


def test_a_record_longer_than_any_puzzle_is_refused() -> None:
    with pytest.raises(RecordError, match="more than 5000 moves and settings"):
        puzzle("tetrominoes", ";1[a1,a2,a3,a4]" * 5001)


def test_a_record_that_is_cut_short_anywhere_is_read_or_refused_in_one_sentence() -> None:
    record = Record.new(TETROMINOES.game)
    for colour, one in moves_of(TETROMINOES)[:4]:
        record.play(one, colour)
    record.lift(moves_of(TETROMINOES)[1][1])
    record.time(12.34)
    data = record.write()
    for length in range(len(data) - 2):
        with pytest.raises(RecordError) as caught:
            list(replay(Record.read(data[:length])))
        assert "\n" not in str(caught.value)
