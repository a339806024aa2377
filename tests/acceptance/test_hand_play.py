"""Whole games at the simulated table with undos, hasty players, and every edition."""

from pathlib import Path

import numpy as np
import pytest

from firmware.assembly.simulated import SimulationOptions
from firmware.game.events import MoveAccepted
from firmware.game.seating import colours_of, person_of
from firmware.rules.board import Move
from firmware.rules.pieces import PIECES
from firmware.rules.variants import EDITIONS, GAMES
from tests.support.hand_played_table import (
    STEADY,
    HandPlayedTable,
    first_move,
    hand_played_table,
    place_of,
)
from web.contract import (
    EditionKey,
    GameKey,
    Gesture,
    LiftPiece,
    NewGame,
    PiecePlace,
    PutPiece,
    SeatHolder,
    ShiftPiece,
    Undo,
)

pytestmark = pytest.mark.usefixtures("without_engine")


BOXES = [
    (key, name, first)
    for key, game in GAMES.items()
    for name, edition in EDITIONS.items()
    if len(edition) == len(game.colours)
    for first in (edition if len(edition) == 2 else ("",))
]


@pytest.mark.parametrize(("key", "edition", "first"), BOXES)
def test_every_game_is_played_by_hand_in_every_edition(
    tmp_path: Path, key: str, edition: str, first: str
) -> None:
    game = GAMES[key]
    with hand_played_table(tmp_path, SimulationOptions(), frame_s=0.35) as table:
        new = NewGame(GameKey(key), EditionKey(edition), first=first)
        assert table.command(new) is None
        table.arrange(tuple(range(game.people)))
        table.step()
        seats = table.seats
        assert [seat.colours for seat in seats] == [
            colours_of(game, person) for person in range(game.people)
        ]
        assert {seat.holder for seat in seats} == {SeatHolder.PERSON}
        for ply in range(1, 3):
            colour, move = first_move(table.state.position)
            assert table.play(PutPiece(place_of(colour, move))).refused is None
            table.until_ply(ply, 10.0)
            assert table.state.history[-1].move == move
            assert table.state.history[-1].colour == colour
        newest = table.state.history[-1]
        assert table.play(LiftPiece(newest.colour, newest.move.piece.name)).refused is None
        table.until(lambda: table.state.piece_count == 1, 10.0)


def undone_at(table: HandPlayedTable, moment: str) -> None:
    """Waits for a moment of a turn, and takes the last move back."""
    scene = table.simulation.stage.table
    assert scene is not None
    plies = table.state.piece_count
    unread = len(scene.scene.pieces) + 1
    moments = {
        "thinking": lambda: table.is_free and len(scene.scene.pieces) == plies,
        "hand": lambda: not table.is_free and len(scene.scene.pieces) == plies,
        "unread": lambda: len(scene.scene.pieces) == unread,
        "accepted": lambda: table.state.piece_count == plies + 1,
    }
    table.until(moments[moment], 20.0)
    assert table.command(Undo()) is None


@pytest.mark.parametrize("moment", ["thinking", "hand", "unread", "accepted"])
def test_an_undo_at_any_moment_stops_no_scripted_people(tmp_path: Path, moment: str) -> None:
    with hand_played_table(tmp_path, STEADY) as table:
        table.until(lambda: table.state.piece_count == 3, 60.0)
        for _ in range(2):
            undone_at(table, moment)
        assert table.state.piece_count <= 3
        table.until(lambda: table.state.piece_count == 5, 60.0)


@pytest.mark.parametrize("key", ["duo", "duo-4-3"])
def test_a_game_with_undos_at_random_goes_to_its_end(tmp_path: Path, key: str) -> None:
    dice = np.random.default_rng(4)
    with hand_played_table(tmp_path, STEADY, key, frame_s=0.35) as table:
        people = table.simulation.people
        assert people is not None
        undone = 0
        while undone < 10:
            table.run(float(dice.uniform(0.0, 15.0)))
            for _ in range(int(dice.integers(1, 3))):
                undone += table.command(Undo()) is None
        table.until(lambda: table.state.over and people.finished, 1500.0)
        plies = table.state.piece_count
        assert table.command(Undo()) is None
        table.step()
        assert table.state.piece_count == plies - 1
        table.until(lambda: table.state.over and people.finished, 120.0)


class HastyPlayer:
    """A player who lays, moves and takes pieces at random, sometimes as the rules want it.

    Args:
        table: the table.
        person: the seat of the player.
        seed: seed of all choices.
    """

    def __init__(self, table: HandPlayedTable, person: int, seed: int) -> None:
        self._table = table
        self._dice = np.random.default_rng(seed)
        game = table.state.position.game
        shared = () if game.shared is None else (game.shared,)
        self.colours = (*colours_of(game, person), *shared)
        self._person = person

    def is_to_move(self) -> bool:
        position = self._table.state.position
        colour = position.to_move
        return colour is not None and person_of(position, colour) == self._person

    def repair(self) -> Gesture | None:
        """Returns a gesture that brings the board nearer to the game; None if they agree."""
        lying = {(one.colour, one.piece): one for one in self._table.shown.pieces}
        laid = self._table.state.position.laid
        meant = {
            (colour, move.piece.name): place_of(colour, move)
            for colour in self.colours
            for move in laid[colour]
        }
        for key in lying:
            if key[0] in self.colours and key not in meant:
                return LiftPiece(*key)
        for key, place in meant.items():
            if key not in lying:
                return PutPiece(place)
            if not is_at(lying[key], place):
                return ShiftPiece(place)
        return None

    def gesture(self) -> Gesture | None:
        """Returns any gesture."""
        choice = self._dice.random()
        if choice < 0.6 and self.is_to_move():
            return PutPiece(place_of(*first_or_any(self._table, self._dice)))
        own = [one for one in self._table.shown.pieces if one.colour in self.colours]
        if choice < 0.7 and own:
            one = own[self._dice.integers(len(own))]
            return LiftPiece(one.colour, one.piece)
        piece = PIECES[self._dice.integers(len(PIECES))]
        shape = piece.orientations[self._dice.integers(len(piece.orientations))]
        size = self._table.shown.size
        across, down = self._dice.uniform(0, size, 2).tolist()
        angle = float(self._dice.uniform(-45, 45)) if self._dice.random() < 0.5 else 0.0
        colour = self.colours[self._dice.integers(len(self.colours))]
        place = PiecePlace(colour, piece.name, shape, across, down, angle)
        return ShiftPiece(place) if choice < 0.8 else PutPiece(place)


def is_at(one: PiecePlace, place: PiecePlace) -> bool:
    """True if a piece lies at a place, and straight."""
    near = abs(place.across - one.across) + abs(place.down - one.down) < 0.3
    return near and place.shape == one.shape and abs(one.angle_deg) < 5


def first_or_any(table: HandPlayedTable, dice: np.random.Generator) -> tuple[int, Move]:
    """Returns the colour to move, and any legal move."""
    position = table.state.position
    assert position.to_move is not None
    indices = position.legal_moves.indices
    return position.to_move, position.board.move(int(indices[dice.integers(len(indices))]))


@pytest.mark.parametrize(("key", "seed"), [("duo", 1), ("duo", 2), ("duo-4-3", 3)])
def test_the_computer_plays_on_with_a_hasty_player(tmp_path: Path, key: str, seed: int) -> None:
    options = SimulationOptions(seed, opponent=True)
    with hand_played_table(tmp_path, options, key, frame_s=0.35) as table:
        table.arrange((0,), tuple(range(1, GAMES[key].people)))
        player, dice = HastyPlayer(table, 0, seed), np.random.default_rng(seed)
        table.run(2.0)
        while table.now_s < 300.0 and not table.is_over():
            for _ in range(int(dice.integers(1, 6))):
                gesture = player.gesture()
                if gesture is not None:
                    table.play(gesture)
                table.run(float(dice.exponential(0.8)))
            while (repair := player.repair()) is not None:
                table.play(repair)
                table.run(1.5)
            table.run(2.0)
            if table.is_over() or player.is_to_move() or player.repair():
                continue
            plies = table.state.piece_count
            table.until(lambda: table.state.piece_count != plies or table.is_over(), 20.0)  # noqa: B023
        others = [
            one
            for one in table.events
            if isinstance(one, MoveAccepted) and one.colour not in player.colours
        ]
        assert len(others) > 5
