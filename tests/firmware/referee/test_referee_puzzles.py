"""Random play of every puzzle on a simulated clock: pieces, liftings, questions and mistakes."""

import pytest

from firmware.game.events import MoveAccepted, PositionSet, Solved
from firmware.referee.phase import Phase
from firmware.referee.referee import Referee
from firmware.rules.position import Position
from firmware.rules.variants import PUZZLES
from firmware.simulator.puzzle_choice import KnownSolution, solved
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
    assert [one.breaches[0].rule for one in match.referee.state.refused] == ["wrong-size"]
