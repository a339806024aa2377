"""Games that the independent engine does not play: whole games against naive rules."""

import pytest

from firmware.records.replay import ReplayedMove, replay
from firmware.rules.position import Position
from tests.support.naive_rules import legality
from tests.support.random_games import random_game


@pytest.mark.parametrize("game", ["classic-2", "classic-3", "classic-teams", "duo-4", "duo-4-3"])
def test_a_whole_game_follows_the_obvious_rules(game: str) -> None:
    record, final = random_game(game, 5)
    turn = 0
    out: set[int] = set()
    for entry in replay(record):
        if not isinstance(entry, ReplayedMove):
            continue
        before, move, colour = entry.before, entry.move, entry.played.colour
        assert move is not None
        while turn != colour:
            # A colour that was skipped has no move, and never has one again.
            out.add(turn)
            assert nothing_to_play(before, turn)
            turn = (turn + 1) % 4
        assert colour not in out
        assert legality(before, colour)(move), f"{before!r}: {move!r}"
        turn = (turn + 1) % 4
    assert all(nothing_to_play(final, colour) for colour in final.game.colours)


def nothing_to_play(position: Position, colour: int) -> bool:
    board, is_legal = position.board, legality(position, colour)
    return not any(is_legal(board.move(index)) for index in range(board.placements))


@pytest.mark.parametrize("game", ["classic-2", "classic-3", "classic-teams", "duo-4", "duo-4-3"])
def test_the_first_round_starts_in_four_corners(game: str) -> None:
    _, final = random_game(game, 8)
    corners = final.board.parse_squares(",".join(final.game.starts))
    first = {colour: laid[0] for colour, laid in enumerate(final.laid)}
    covered = [{s for s in corners if s in move.squares} for move in first.values()]
    assert all(len(squares) == 1 for squares in covered)
    assert set().union(*covered) == set(corners)
