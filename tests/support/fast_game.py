"""A whole game of scripted people at a simulated table, as fast as possible.

python -m tests.support.fast_game FOLDER      # goes on with a game that is there
"""

import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from firmware.assembly.simulated import Simulation, SimulationOptions, simulated
from firmware.assembly.table_places import SOCKET
from firmware.codes import GameKey
from firmware.game.events import Event, MoveAccepted, MoveRefused, Undone
from firmware.settings import GameSettings, Settings

FRAME_S = 0.25
"""Simulated seconds between two frames: a slow camera sends four a second."""

LONGEST_GAME_S = 3600.0
"""Simulated seconds after which a game has failed."""


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of a table compared with what the people did.

    Attributes:
        accepted: number of accepted moves.
        wrong: number of accepted moves that nobody made.
        missed: number of moves that were not accepted.
        mistakes: number of mistakes that people made.
        refused: number of them that were refused.
        refused_wrongly: number of refusals without a mistake.
        lifted: number of pieces of a puzzle that people lifted.
        undone: number of liftings that were seen.
        undone_wrongly: number of liftings that nobody made.
    """

    accepted: int
    wrong: int
    missed: int
    mistakes: int
    refused: int
    refused_wrongly: int
    lifted: int
    undone: int
    undone_wrongly: int


def play(folder: Path, game: str = "duo", seed: int = 1, *, fresh: bool = True) -> Verdicts:
    """Plays a game to its end, and compares every verdict with the people's moves."""
    events: list[Event] = []
    settings = Settings(game=replace(GameSettings(), game=GameKey(game)))
    acting = SimulationOptions(seed, autoplay=True)
    with simulated(
        settings, folder, acting, fresh=fresh, on_event=events.append, socket=folder / SOCKET
    ) as table:
        assert table.people is not None
        table.feed.start()
        now_s = 0.0
        while not (table.people.finished and table.tracker.referee.state.over):
            assert table.clock.now_s < LONGEST_GAME_S, "the game does not end"
            now_s += FRAME_S
            table.step(FRAME_S, now_s)
        return _compared(table, events)


def _compared(table: Simulation, events: list[Event]) -> Verdicts:
    assert table.people is not None
    lifted = Counter(table.people.lifted)
    # A piece that was lifted and laid again was accepted twice.
    meant = Counter(table.people.laid) + lifted
    accepted = Counter((one.colour, one.move) for one in events if isinstance(one, MoveAccepted))
    undone = Counter((one.colour, one.move) for one in events if isinstance(one, Undone))
    made = {(colour, frozenset(move.squares)) for colour, move in table.people.mistakes}
    refused = {
        (one.colour, frozenset(one.squares)) for one in events if isinstance(one, MoveRefused)
    }
    return Verdicts(
        accepted.total(),
        (accepted - meant).total(),
        (meant - accepted).total(),
        len(made),
        len(made & refused),
        len(refused - made),
        lifted.total(),
        (undone & lifted).total(),
        (undone - lifted).total(),
    )


if __name__ == "__main__":
    play(Path(sys.argv[1]), fresh=False)
