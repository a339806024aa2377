"""Trial: games of which some moves came in gaps, judged from all pieces at once.

`python -m tests.evaluation gaps --games 200` judges every gap of two to six moves in random games
of each of the seven kinds, without pictures. In every second game one colour is helped to lay all
its pieces, so that scores depend on the order. Besides what was accepted and refused it counts the
questions, and the gaps after which pieces are undecided.

`python -m tests.evaluation gaps --pictures` referees five rendered games of 30 moves, of which the
pictures of three moves are lost.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from firmware.game.events import Event, MoveAccepted, MoveRefused, Unsure
from firmware.referee.adjudication import Adjudication, judge
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation, MatchedPiece
from firmware.rules.position import LaidPiece, Position
from firmware.rules.scoring import Score, score
from firmware.rules.variants import EDITIONS, GAMES, Colour
from firmware.session.tracker import GameTracker
from firmware.simulator.table import TablePiece
from tests.evaluation.noisy_game import Tally
from tests.support.table_script import Lay, Leave, Reach, ScriptedTable, ScriptSetup, Wait
from vision.reader import Reader

LENGTHS: Final = range(2, 7)
"""Numbers of moves in a gap."""

FAULTS: Final = (
    "wrong accepts",
    "wrong refusals",
    "unneeded questions",
    "asked more than once",
    "undecided",
)
"""Names of counts that have to be 0."""

COUNTS: Final = ("games", "complete", "gaps", "order not seen", "asked", *FAULTS)
"""Names of counts. A game is complete if a colour laid all its pieces."""

PICTURED: Final = (11, 12, 13, 15, 18)
"""Seeds of rendered games."""

PLIES: Final = 30
"""Number of moves of a rendered game."""

_LOST: Final = 3
"""Number of moves of a rendered game of which the pictures are lost."""

_SAMPLE: Final = 30
"""Number of moves of which a helping player takes the best."""

_AGAINST: Final = 3
"""Weight of the moves of others in the choice of a helping player."""


def whole_game(game: str, seed: int, *, helped: Colour | None = None) -> list[Position]:
    """Returns the positions of a random game.

    Args:
        game: key of the game.
        seed: seed of the moves.
        helped: a colour that takes its largest pieces first, and to which all others leave room.
    """
    chance = random.Random(f"{game} {seed}")  # noqa: S311
    position = Position.start(game)
    positions = [position]
    while (colour := position.to_move) is not None:
        moves = position.legal_moves.indices.tolist()
        if helped is None:
            position = position.play(position.board.move(chance.choice(moves)))
        else:
            sizes = [position.board.move(index).piece.size for index in moves]
            size = max(sizes) if colour == helped else min(sizes)
            moves = [index for index, one in zip(moves, sizes, strict=True) if one == size]
            moves = chance.sample(moves, min(_SAMPLE, len(moves)))
            after = [position.play(position.board.move(index)) for index in moves]
            position = max(after, key=lambda one: _room(one, helped))
        positions.append(position)
    return positions


def _room(position: Position, helped: Colour) -> int:
    """Returns the room of a colour, in moves; those that others have count against it."""
    counts = [len(position.moves_of(colour)) for colour in position.game.colours]
    return (1 + _AGAINST) * counts[helped] - _AGAINST * sum(counts)


def pieces_between(before: Position, after: Position) -> list[LaidPiece]:
    """Returns the pieces that one position has and another lacks, by colour."""
    return [piece for piece in after.pieces if piece not in before.pieces]


def seen_at_once(position: Position, pieces: Sequence[LaidPiece]) -> Adjudication:
    """Judges pieces that were all seen together."""
    size, colours = position.game.size, position.game.colours
    placed = tuple(MatchedPiece(colour, move, 9.0, 9.0, 9.0, ()) for colour, move in pieces)
    none = (0,) * len(colours)
    explanation = Explanation(placed, (), none, 0, 0, none)
    return judge(position, explanation, FrameMapping(size, 0, tuple(colours)))


def _is_same(position: Position, other: Position) -> bool:
    """True if two positions have the same pieces, turn and score."""
    laid = [{*hand} for hand in position.laid] == [{*hand} for hand in other.laid]
    return laid and position.to_move == other.to_move and score(position) == score(other)


def judged_gap(positions: Sequence[Position], begin: int, length: int, seed: int) -> Tally:
    """Returns the counts of one gap.

    Args:
        positions: the positions of a game.
        begin: index of the position before the gap.
        length: number of moves in it.
        seed: seed of the order in which the pieces are found.
    """
    before, after = positions[begin], positions[begin + length]
    pieces = pieces_between(before, after)
    random.Random(seed).shuffle(pieces)  # noqa: S311
    true = [pieces_between(*positions[at : at + 2])[0] for at in range(begin, begin + length)]
    tally: Tally = Counter(gaps=1)
    position, questions = before, 0
    while len(pieces) > 0:
        found = seen_at_once(position, pieces)
        made = [(one.colour, one.move) for one in found.moves]
        tally["wrong refusals"] += bool(found.refused)
        tally["wrong accepts"] += any(one not in pieces for one in made)
        tally["order not seen"] += not questions and not all(one.order_seen for one in found.moves)
        pieces = [one for one in pieces if one not in made]
        position = found.after
        if not found.open:
            break
        questions += 1
        tally["unneeded questions"] += len(possible_scores(position, pieces)) < 2
        asked = [(one.colour, one.move) for one in found.open]
        colour, move = next(one for one in true if one in asked)
        tally["pending"] += len(found.pending)
        position = position.play(move, colour)
        pieces.remove((colour, move))
    tally["asked"] += questions > 0
    tally["asked more than once"] += questions > 1
    tally["undecided"] += bool(pieces)
    tally["wrong accepts"] += not pieces and not _is_same(position, after)
    return tally


def possible_scores(position: Position, pieces: Sequence[LaidPiece]) -> set[Score]:
    """Returns the scores after all legal orders of some pieces, by trying every order."""
    if not pieces:
        return {score(position)}
    return {
        one
        for colour, move in pieces
        if colour == position.to_move and move in position.legal_moves
        for one in possible_scores(
            position.play(move), [piece for piece in pieces if piece != (colour, move)]
        )
    }


def gaps(game: str, games: int, *, every: int = 1, seed: int = 1) -> Iterator[Tally]:
    """Yields the counts of all gaps of some games, or of one gap in so many."""
    for number in range(seed, seed + games):
        colours = len(GAMES[game].colours)
        helped = None if number % 2 else number // 2 % colours
        positions = whole_game(game, number, helped=helped)
        total: Tally = Counter(games=1, complete=_is_complete(positions[-1]))
        places = [(at, n) for n in LENGTHS for at in range(len(positions) - n)]
        for at, length in places[number % every :: every]:
            total += judged_gap(positions, at, length, at)
        yield total


def _is_complete(position: Position) -> bool:
    return not all(position.in_hand(colour) for colour in position.game.colours)


def pictured_game(seed: int, plies: int = PLIES) -> Tally:
    """Returns the counts of a rendered game of which the pictures of some moves are lost."""
    edition = EDITIONS["purple-orange"]
    table = ScriptedTable(ScriptSetup(seed=seed))
    tracker = GameTracker(Reader(14, edition), Position.start("duo"), edition, first=edition[0])
    lost = random.Random(seed).randrange(2, plies - 2 * _LOST)  # noqa: S311
    events: list[Event] = []
    moves = [pieces_between(*pair)[0] for pair in pairwise(whole_game("duo", seed)[: plies + 1])]
    for ply, (colour, move) in enumerate(moves):
        x_mm, y_mm = TablePiece(colour, move).middle_mm
        reach = Reach(x_mm, y_mm, colour * 2)
        actions = [reach, Wait(), Lay(colour, str(move)), reach, Wait(), Leave(), Wait(4)]
        for frame in table.play(actions):
            if not lost <= ply < lost + _LOST:
                events += tracker.see(frame)
    accepted = [(one.colour, one.move) for one in events if isinstance(one, MoveAccepted)]
    after = moves[lost + _LOST :]
    return Counter(
        {
            "moves": len(moves),
            "accepted": len(accepted),
            "accepted after the gap": sum(one in after for one in accepted),
            "order not seen": sum(
                one.order_seen is False for one in events if isinstance(one, MoveAccepted)
            ),
            "asked": sum(isinstance(one, Unsure) for one in events),
            "wrong accepts": sum(one not in moves for one in accepted),
            "wrong refusals": sum(isinstance(one, MoveRefused) for one in events),
        }
    )


def main(words: Sequence[str]) -> None:
    """Runs the trial and prints the counts of each kind."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation gaps")
    parser.add_argument("--games", type=int, default=4, help="games per kind (default: 4)")
    parser.add_argument("--game", choices=GAMES, help="only this kind")
    parser.add_argument("--every", type=int, default=1, help="one gap in so many (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", action="store_true", help="rendered games instead")
    arguments = parser.parse_args(words)
    if arguments.pictures:
        counts = sum(map(pictured_game, PICTURED), Counter())
        print(", ".join(f"{count} {name}" for name, count in counts.items()))  # noqa: T201
        return
    for game in [arguments.game] if arguments.game else GAMES:
        total: Tally = Counter()
        for tally in gaps(game, arguments.games, every=arguments.every, seed=arguments.seed):
            total += tally
        print(game, ", ".join(f"{total[count]} {count}" for count in COUNTS), flush=True)  # noqa: T201
