"""Playing at the simulated table: gestures, the computer, and an arbiter, by pictures alone."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from firmware.assembly.simulated import SimulationOptions
from firmware.codes import Rule
from firmware.game.events import MoveAccepted, MoveRefused
from firmware.player import table_services
from firmware.player.client import SearchRequest
from firmware.rules.board import Move
from firmware.rules.variants import GAMES
from tests.support.hand_played_table import STEADY, first_move, hand_played_table, place_of
from web.contract import (
    EditionKey,
    GameKey,
    LiftPiece,
    NewGame,
    OpponentState,
    Pause,
    PlacedPiece,
    Prop,
    PutPiece,
    RefusalReason,
    Resign,
    Resume,
    SeatHolder,
    SetPosition,
    ShiftPiece,
    Undo,
    UseProp,
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("without_engine")]


@pytest.mark.parametrize(("key", "first"), [("duo", "orange"), ("duo-4-3", "")])
def test_pieces_are_laid_and_lifted_by_hand(tmp_path: Path, key: str, first: str) -> None:
    with hand_played_table(tmp_path, SimulationOptions(), frame_s=0.35) as table:
        assert table.command(NewGame(GameKey(key), first=first)) is None
        table.arrange(tuple(range(GAMES[key].people)))
        for ply in range(1, 3):
            colour, move = first_move(table.state.position)
            assert table.play(PutPiece(place_of(colour, move))).refused is None
            table.until_ply(ply, 10.0)
            assert (table.state.history[-1].colour, table.state.history[-1].move) == (colour, move)
        newest = table.state.history[-1]
        assert table.play(LiftPiece(newest.colour, newest.move.piece.name)).refused is None
        table.until(lambda: table.state.piece_count == 1, 10.0)


def test_a_refused_piece_is_straightened_or_taken_back_by_its_player(tmp_path: Path) -> None:
    with hand_played_table(tmp_path, SimulationOptions(1, opponent=True)) as table:
        assert [seat.holder for seat in table.seats] == [
            SeatHolder.FREE,
            SeatHolder.COMPUTER,
        ]
        assert table.shown.opponent is OpponentState.SIMPLE
        table.arrange((0,), (1,))
        table.run(2.0)
        wrong = place_of(0, Move.parse("a14,a13,a12", 14))
        assert table.play(PutPiece(wrong)).refused is None
        table.until(lambda: bool(table.state.refused), 10.0)
        (refused,) = (one for one in table.events if isinstance(one, MoveRefused))
        assert (refused.colour, len(refused.squares)) == (0, 3)
        assert [one.rule for one in refused.violations] == [Rule.MISSES_START]
        assert table.play(LiftPiece(0, wrong.piece)).refused is None
        table.run(3.0)
        _, move = first_move(table.state.position)
        place = place_of(0, move)
        assert table.play(PutPiece(place)).refused is None
        table.until(lambda: table.state.piece_count == 2, 20.0)
        assert table.play(LiftPiece(1, "I5")).refused is RefusalReason.NOT_YOURS
        assert [one.colour for one in table.events if isinstance(one, MoveAccepted)] == [0, 1]
        assert table.play(UseProp(Prop.NUDGE)).refused is None
        table.run(8.0)
        assert table.state.piece_count == 2
        assert table.play(ShiftPiece(place)).refused is None
        table.run(3.0)
        truth = table.simulation.stage.table
        assert truth is not None
        assert truth.scene.truth() == tuple(
            table.state.position.colour_at(square) for square in range(14 * 14)
        )


def test_people_follow_a_correction_a_pause_and_a_new_game(tmp_path: Path) -> None:
    with hand_played_table(tmp_path, STEADY) as table:
        table.until(lambda: table.state.piece_count == 3, 60.0)
        position = table.state.position
        first = position.laid[0][0]
        other = next(one for one in position.moves_of(1) if not one.mask & position.occupied)
        pieces = tuple(
            PlacedPiece(colour, tuple(divmod(square, 14) for square in move.squares))
            for colour, move in ((0, first), (1, position.laid[1][0]), (1, other))
        )
        assert table.command(SetPosition(0, pieces)) is None
        table.until(lambda: table.state.piece_count >= 5, 60.0)
        assert other in table.state.position.laid[1]
        assert table.command(Pause()) is None
        plies = table.state.piece_count
        table.run(12.0)
        assert table.state.piece_count == plies
        assert table.command(Resume()) is None
        table.until(lambda: table.state.piece_count == plies + 1, 30.0)
        assert table.command(NewGame(GameKey.DUO_4)) is None
        table.until(lambda: table.state.piece_count == 2, 60.0)
        assert table.state.position.game == GAMES["duo-4"]


def test_the_others_play_on_after_one_has_resigned(tmp_path: Path) -> None:
    with hand_played_table(tmp_path, STEADY, "duo-4-3", frame_s=0.35) as table:
        table.until(lambda: table.state.piece_count == 4, 90.0)
        assert table.command(Resign(1)) is None
        table.until(lambda: table.state.piece_count == 8, 120.0)
        colours = [ply.colour for ply in table.state.history]
        assert 1 not in colours[4:]


def test_the_computer_follows_an_undo_and_an_emptied_seat(tmp_path: Path) -> None:
    with hand_played_table(tmp_path, SimulationOptions(2, opponent=True)) as table:
        table.arrange((0,), (1,))
        _, move = first_move(table.state.position)
        assert table.play(PutPiece(place_of(0, move))).refused is None
        table.until(lambda: table.state.piece_count == 2, 20.0)
        assert table.command(Undo()) is None, "back to the last move of a person"
        table.run(10.0)
        assert (table.state.piece_count, table.shown.pieces) == (0, ()), "a hand lifts both pieces"
        table.arrange((), (0, 1))
        table.until(lambda: table.state.piece_count == 3, 60.0)
        table.arrange((0, 1))
        table.run(3.0)
        plies = table.state.piece_count
        table.run(10.0)
        assert table.state.piece_count == plies, "nobody plays but the owner"


def test_a_game_in_colours_that_do_not_exist_changes_nothing(tmp_path: Path) -> None:
    with hand_played_table(tmp_path, SimulationOptions()) as table:
        table.arrange((0, 1))
        table.run(1.0)
        before = table.shown
        for wrong in (
            NewGame(GameKey.CLASSIC, EditionKey.FOUR, first="purple"),
            NewGame(GameKey.CLASSIC, EditionKey.PURPLE_ORANGE),
            NewGame(GameKey.DUO, EditionKey.FOUR),
            NewGame(GameKey.DUO, EditionKey.PURPLE_ORANGE, first="white"),
            NewGame(GameKey.DUO, first="white"),
        ):
            assert table.command(wrong) is RefusalReason.NOT_FITTING
            table.run(0.5)
            assert replace(table.shown, sight=before.sight) == before
        colour, move = first_move(table.state.position)
        assert table.play(PutPiece(place_of(colour, move))).refused is None
        table.until(lambda: table.state.piece_count == 1, 10.0)


def test_the_opponent_is_prepared_before_it_moves_and_leaves_with_its_seat(tmp_path: Path) -> None:
    class Engine:
        closed = 0
        asked = 0
        starting = None

        def ask(self, _: SearchRequest) -> int:
            Engine.asked += 1
            return Engine.asked

        def answer(self, request: int) -> None:
            return None

        def close(self) -> None:
            Engine.closed += 1

    with (
        patch.object(table_services, "EngineClient", Engine),
        hand_played_table(tmp_path, SimulationOptions(2, opponent=True)) as table,
    ):
        table.run(1.0)
        assert Engine.asked == 1
        opponents = [table.shown.opponent]
        table.arrange((0, 1))
        table.step()
        opponents.append(table.shown.opponent)
        assert opponents == [OpponentState.PREPARING, OpponentState.NONE]
    assert Engine.closed == 1
