"""Random play of every puzzle on a simulated clock: pieces, liftings, questions and mistakes."""

import pytest

from firmware.game.events import MoveAccepted, PositionSet, Solved
from firmware.referee.referee import Phase, Referee
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import PUZZLES
from firmware.simulator.move_choice import KnownSolution, solved
from tests.support.noisy_board import FOUR, NoisyBoard, NoisyMatch, names
from tests.support.puzzle_play import PuzzlePlay

FILLINGS = [key for key, game in PUZZLES.items() if game.puzzle and game.puzzle.columns < game.size]


@pytest.mark.parametrize("noise", [0.0, 0.7])
@pytest.mark.parametrize("key", PUZZLES)
def test_random_play_has_no_wrong_verdict(key: str, noise: float) -> None:
    play = PuzzlePlay(key, seed=7, noise=noise)
    for _ in range(40):
        play.step()
    assert play.wrong == []
    assert len(play.pieces) > 10


@pytest.mark.parametrize("key", PUZZLES)
def test_a_puzzle_is_refereed_from_empty_to_done(key: str) -> None:
    solution = solved(PUZZLES[key])
    match = NoisyMatch(NoisyBoard(20, FOUR, noise=0.5), Referee(Position.start(key), FOUR))
    match.settle()
    choose = KnownSolution(solution, 3)
    while laying := choose(match.referee.state.position):
        colour, move = laying
        match.table.lay(FOUR[colour], move)
        made = [event for event in match.after_hand() if isinstance(event, MoveAccepted)]
        assert [(event.colour, event.move) for event in made] == [laying]
    assert isinstance(match.events[-1], Solved)
    assert match.referee.phase is Phase.GAME_OVER
    assert not {"pass", "game-over", "unsure", "illegal"} & set(names(match.events))


@pytest.mark.parametrize("key", PUZZLES)
def test_a_board_that_stands_already_is_taken_over(key: str) -> None:
    solution = solved(PUZZLES[key])
    position, choose = Position.start(key), KnownSolution(solution, 3)
    apart = position
    for _ in range(12):
        laying = choose(position)
        assert laying is not None
        position = position.play(laying[1], laying[0])
        beside = position.board.edge_neighbours(laying[1].mask)
        if not apart.squares(laying[0]) & beside and laying[1] in apart.moves_of(laying[0]):
            apart = apart.play(laying[1], laying[0])
    table = NoisyBoard(20, FOUR)
    for colour, laid in enumerate(apart.laid):
        for move in laid:
            table.lay(FOUR[colour], move)
    match = NoisyMatch(table, Referee(Position.start(key), FOUR))
    match.settle(4)
    assert list(map(set, match.referee.state.position.laid)) == list(map(set, apart.laid))
    found = [event for event in match.events if isinstance(event, PositionSet)]
    assert len(found) == 1
    assert found[0].possible_turns is None


@pytest.mark.parametrize("key", FILLINGS)
def test_certain_pieces_of_a_standing_board_count_beside_others(key: str) -> None:
    choose = KnownSolution(solved(PUZZLES[key]), 3)
    table, position = NoisyBoard(20, FOUR), Position.start(key)
    for _ in range(6):
        laying = choose(position)
        assert laying is not None
        position = position.play(laying[1], laying[0])
        table.lay(FOUR[laying[0]], laying[1])
    table.lay("red", "s19,t19,t20")
    match = NoisyMatch(table, Referee(Position.start(key), FOUR))
    match.settle(12)
    accepted = {(e.colour, e.move) for e in match.events if isinstance(e, MoveAccepted)}
    laid = {(colour, move) for colour, moves in enumerate(position.laid) for move in moves}
    assert accepted
    assert accepted <= laid
    assert [one.squares for one in match.referee.state.refused] == [
        tuple(sorted(table.squares("s19,t19,t20")))
    ]


def test_a_piece_under_a_hand_may_be_the_larger_one_that_others_wait_for() -> None:
    table = NoisyBoard(20, FOUR)
    match = NoisyMatch(table, Referee(Position.start("puzzle-all-by-size"), FOUR))
    match.settle()
    table.lay("blue", "a1,b1")
    table.covered = set(table.squares("q20,r20,s20,t20,q19,r19,s19,t19"))
    for _ in range(20):
        match.show(hand=True)
    assert not match.referee.state.refused
    table.covered = set()
    match.settle(6)
    assert [one.violations[0].rule for one in match.referee.state.refused] == ["wrong-size"]


def table_of(key: str) -> NoisyMatch:
    match = NoisyMatch(NoisyBoard(20, FOUR), Referee(Position.start(key), FOUR))
    match.settle()
    return match


def test_a_refused_piece_counts_once_a_later_one_joins_it_to_its_start() -> None:
    match = table_of("puzzle-all")
    match.table.lay("blue", "c3,d3,e3")
    assert names(match.after_hand(4)) == ["illegal"]
    match.table.lay("blue", "a1,b1,b2")
    assert names(match.after_hand(4)) == ["move", "move"]
    assert not match.referee.state.refused


def test_two_wrong_pieces_of_a_colour_are_refused_and_withdrawn_apart() -> None:
    match = table_of("puzzle-tetrominoes")
    match.table.lay("red", "q3,r3,s3,t3")
    match.table.lay("red", "a1,b1,c1,d1,e1")
    match.table.lay("red", "c5,d5,c6,d6")
    events = match.after_hand(10)
    assert sorted(names(events)) == ["illegal", "illegal", "move"]
    assert [
        [one.rule for one in refused.violations] for refused in match.referee.state.refused
    ] == [
        ["outside-field"],
        ["wrong-size"],
    ]
    match.table.lift("q3,r3,s3,t3")
    assert names(match.after_hand(4)) == ["withdrawn"]
    assert len(match.referee.state.refused) == 1


def test_a_legal_piece_counts_beside_a_wrong_one_of_its_colour() -> None:
    match = table_of("puzzle-pentominoes-apart")
    match.table.lay("green", "o1,p1,q1,q2,q3")
    assert names(match.after_hand(10)) == ["illegal"]
    match.table.lay("green", "a1,b1,c1,d1,e1")
    assert names(match.after_hand(4)) == ["move"]
    assert len(match.referee.state.refused) == 1


def test_two_pieces_that_exclude_each_other_are_asked_about() -> None:
    match = table_of("puzzle-all")
    match.table.lay("blue", "a1,b1,b2")
    match.table.lay("blue", "t1,s1,s2,r2")
    match.after_hand(4)
    asked = {one.move for one in match.referee.state.candidates}
    assert asked == {Move.parse(text, 20) for text in ("a1,b1,b2", "t1,s1,s2,r2")}
    match.events += match.referee.resolve(match.referee.state.candidates[0], match.moment)
    match.settle(8)
    assert match.referee.state.piece_count == 1
    assert [one.rule for one in match.referee.state.refused[0].violations] == ["no-own-corner"]


def test_a_piece_on_another_is_refused() -> None:
    match = table_of("puzzle-tetrominoes")
    match.table.lay("blue", "a1,b1,c1,d1")
    match.after_hand()
    match.table.lay("red", "a1,b1,c1,d1")
    match.after_hand(4)
    assert [one.rule for one in match.referee.state.refused[0].violations] == ["overlap"]
    match.table.lift("a1,b1,c1,d1")
    assert names(match.after_hand(4)) == ["undone", "withdrawn"]


def test_a_solved_puzzle_goes_on_if_a_piece_is_lifted() -> None:
    match = table_of("puzzle-tetrominoes")
    solution = solved(PUZZLES["puzzle-tetrominoes"])
    for colour, laid in enumerate(solution.laid):
        for move in laid:
            match.table.lay(FOUR[colour], move)
            match.after_hand()
    assert match.referee.state.over
    match.table.lift(solution.laid[1][0])
    assert names(match.after_hand()) == ["undone"]
    assert not match.referee.state.over


def test_after_a_restart_new_pieces_count_and_missing_ones_have_to_come_back() -> None:
    match = table_of("puzzle-tetrominoes")
    for colour, squares in (("blue", "a1,b1,c1,d1"), ("red", "a2,b2,a3,b3")):
        match.table.lay(colour, squares)
        match.after_hand()
    match.table.lay("green", "e1,f1,g1,h1")
    match.table.lay("green", "c2,d2,c3,d3")
    again = NoisyMatch(match.table, Referee(match.referee.state, FOUR))
    assert names(again.settle(4)) == ["board-found", "move", "move"]
    match.table.lift("a1,b1,c1,d1")
    resumed = NoisyMatch(match.table, Referee(again.referee.state, FOUR))
    assert names(resumed.settle(4)) == ["board-found", "disturbed"]
    match.table.lay("blue", "a1,b1,c1,d1")
    assert names(resumed.after_hand(4)) == ["restored"]
    match.table.lift("a1,b1,c1,d1")
    assert names(resumed.after_hand(4)) == ["undone"]
