"""What may have happened, while nobody can tell, and when it is time to say so."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from firmware.game.events import Candidate
from firmware.game.state import GameState
from firmware.referee.adjudication import Accepted, Adjudication, Appeared, Refused, judge
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.hypotheses import AmbiguousBoard, WeighedHypotheses, weigh
from firmware.referee.placement_matching import Explanation, MatchedPiece
from firmware.referee.settings import RefereeSettings
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Board, Move, mask_of, squares_of
from firmware.rules.position import Position
from firmware.rules.variants import Colour

_DIM: Final = 1.0
_UNSEEN: Final = 2
"""Log odds by which a square may rather be something else, and still hold a piece; and squares of
a piece that cannot be seen, so that it is no mere doubt."""


class AmbiguityTracker:
    """Keeps what is in doubt from one steady board to the next, until it is time to tell it.

    Args:
        settings: how the referee works.

    Attributes:
        appeared: in which order the pieces came that nothing was decided of.
    """

    def __init__(self, settings: RefereeSettings) -> None:
        self.appeared: Appeared = ()
        self._settings: Final = settings
        self._since: float | None = None
        self._waiting: tuple[Candidate, ...] = ()

    def among(
        self, explanation: Explanation, state: GameState, mapping: FrameMapping
    ) -> tuple[MatchedPiece, ...]:
        """What may be new and is neither too faint nor refused already."""
        known = [(one.colour, mask_of(one.squares)) for one in state.refused]

        def is_known(one: MatchedPiece) -> bool:
            colour, mask = mapping.colour(one.colour), mapping.move(one.move).mask
            return any(colour == other and not mask & ~squares for other, squares in known)

        return tuple(
            one
            for one in explanation.doubtful
            if one.change >= self._settings.doubt and not is_known(one)
        )

    def remember(self, explanation: Explanation) -> None:
        """Keeps which pieces lie there now, so that those to come are known to be later."""
        both = (*explanation.placed, *explanation.doubtful)
        seen = frozenset(one.move.mask for one in both)
        new = seen.difference(*self.appeared)
        if new or not self.appeared:
            self.appeared = (*self.appeared, new)

    def weigh(
        self,
        doubts: tuple[MatchedPiece, ...],
        explanation: Explanation,
        state: GameState,
        mapping: FrameMapping,
    ) -> WeighedHypotheses:
        """What can be said while something is in doubt, and whether that is settled."""
        self.remember(explanation)
        told = {(one.colour, one.move) for one in state.candidates}
        case = AmbiguousBoard(state.position, explanation, doubts, mapping, self.appeared)
        found = weigh(case, told, self._settings.matching.margin)
        if found.settled:
            return found
        # What lies there refused stays so, whatever its colour's other pieces turn out to be.
        again = {one.colour for one in found.judgement.refused}
        kept = tuple(
            Refused(one.colour, mask_of(one.squares), one.breaches)
            for one in state.refused
            if one.colour not in again
        )
        refused = (*found.judgement.refused, *kept)
        return replace(found, judgement=replace(found.judgement, refused=refused))

    def decided(self, mask: int) -> None:
        """A piece on these squares, in the reader's frame, is a move now: its place is known."""
        left = (frozenset(one for one in batch if not one & mask) for batch in self.appeared)
        self.appeared = tuple(batch for batch in left if batch)

    def wait(self, doubts: tuple[Candidate, ...], now: float) -> tuple[Candidate, ...]:
        """Takes what is in doubt now; returns it when it is time to tell."""
        self._waiting = doubts
        if not doubts:
            self._since = None
            return ()
        if self._since is None:
            self._since = now
        return self.give_up() if now - self._since >= self._settings.patience_s else ()

    def give_up(self) -> tuple[Candidate, ...]:
        """What was in doubt and not told yet."""
        doubts, self._waiting = self._waiting, ()
        return doubts

    def interrupt(self) -> None:
        """The board is touched: a doubt begins anew."""
        self._since = None

    def rename(self) -> None:
        """The colours have other names now: what was in doubt is, but not what came first."""
        self._since, self._waiting = None, ()

    def forget(self) -> None:
        """Nothing is in doubt any more."""
        self._since, self._waiting, self.appeared = None, (), ()


def is_news(doubts: Sequence[Candidate], told: Sequence[Candidate]) -> bool:
    """Whether a doubt has to be told, given what was told already.

    Candidates come and go with the noise: it is the same doubt while its likeliest was told, and
    another one where nothing was told that lies on the same squares.

    Args:
        doubts: the likeliest first.
        told: what people were told.
    """
    if not doubts:
        return False
    known = {(one.colour, one.move) for one in told}
    if (doubts[0].colour, doubts[0].move) not in known:
        return True
    places = mask_of(square for one in told for square in one.move.squares)
    return any(not one.move.mask & places for one in doubts)


def squares_in_doubt(doubts: Sequence[MatchedPiece], board: Board) -> set[int]:
    """The squares of every reading of the doubtful pieces, and those beside, in the reader's frame.

    A square beside a piece is what another reading of it has, or lacks.
    """
    mask = 0
    for one in doubts:
        for move in (one.move, *(rival.move for rival in one.rivals)):
            mask |= move.mask | board.edge_neighbours(move.mask)
    return set(squares_of(mask))


def candidates(doubts: Sequence[MatchedPiece], mapping: FrameMapping) -> tuple[Candidate, ...]:
    """The placements that may explain what is doubtful, the likeliest first."""
    found: list[Candidate] = []
    for one in doubts:
        scores = [one.score, *(guess.score for guess in one.rivals), 0.0]
        weights = np.exp(np.array(scores) - max(scores))
        weights /= weights.sum()
        places = [(one.colour, one.move), *((guess.colour, guess.move) for guess in one.rivals)]
        found += [
            Candidate(mapping.colour(colour), mapping.move(move), round(float(weight), 4))
            for (colour, move), weight in zip(places, weights[:-1], strict=True)
        ]
    return tuple(sorted(found, key=lambda candidate: -candidate.confidence))


def orders(
    position: Position, explanation: Explanation, possible: Sequence[FrameMapping]
) -> tuple[FrameMapping, tuple[Candidate, ...]]:
    """The first moves of mappings that all make sense, told in the first of these mappings.

    Args:
        position: what was accepted.
        explanation: what is new.
        possible: the mappings to choose from.
    """
    told: FrameMapping | None = None
    found = set()
    for mapping in possible:
        for move in judge(position, explanation, mapping).moves[:1]:
            told = told or mapping
            column, seen = mapping.plastic[move.colour], mapping.seen(move.move)
            found.add((told.colour(column), told.move(seen)))
    assert told is not None, "some mapping makes moves of the pieces"
    even = round(1 / len(found), 4)
    likeliest = sorted(found, key=lambda one: (one[0], one[1].index))
    return told, tuple(Candidate(colour, move, even) for colour, move in likeliest)


def mapping_for(
    told: tuple[Candidate, ...],
    position: Position,
    mapping: FrameMapping,
    possible: Sequence[FrameMapping],
) -> tuple[FrameMapping, int | None]:
    """The mapping to tell first doubts in: one that makes a move of the likeliest.

    Args:
        told: the candidates in `mapping`, the likeliest first.
        position: what was accepted.
        mapping: the one gone by.
        possible: the mappings to choose from.

    Returns:
        The mapping; and the turn of the board, if every candidate is a move in that turn only.
    """
    legal = [[f for f in possible if is_legal(position, f, *as_seen(one, mapping))] for one in told]
    if not legal or not legal[0]:
        return mapping, None
    turns = [{f.turned for f in mappings} for mappings in legal]
    sure = all(turn == turns[0] for turn in turns) and len(turns[0]) == 1
    return legal[0][0], legal[0][0].turned if sure else None


def as_seen(one: Candidate, mapping: FrameMapping) -> tuple[int, Move]:
    """A candidate as the reader sees it: column of the palette, and placement."""
    return mapping.plastic[one.colour], mapping.seen(one.move)


def is_legal(position: Position, mapping: FrameMapping, column: int, seen: Move) -> bool:
    """Whether a piece as it was seen is a legal move in a mapping."""
    mine = mapping.colour(column) == position.to_move
    return mine and mapping.move(seen) in position.legal_moves


def may_have_begun(
    doubts: Sequence[MatchedPiece],
    judgement: Adjudication,
    mapping: FrameMapping,
    possible: Sequence[FrameMapping],
    position: Position,
) -> bool:
    """Whether something doubtful may be the first piece, so that a certain one is not.

    Who begins is told by the first piece alone: taken from the second it makes every turn of the
    game a wrong one.

    Args:
        doubts: what is in doubt.
        judgement: what can be said whatever that turns out to be.
        mapping: how it was judged.
        possible: the mappings to choose from.
        position: what was accepted.
    """
    if not judgement.moves or len({one.plastic for one in possible}) == 1:
        return False
    beginning = mapping.plastic[judgement.moves[0].colour]
    readings = [(one.colour, one.move) for one in doubts]
    readings += [(guess.colour, guess.move) for one in doubts for guess in one.rivals]
    return any(
        column != beginning and is_legal(position, mapping, column, seen)
        for column, seen in readings
        for mapping in possible
    )


def may_have_moved(
    mover: Colour, evidence: LogProbabilities, mapping: FrameMapping, position: Position
) -> bool:
    """Whether a colour may have laid a piece on squares that nobody can see well.

    Args:
        mover: the colour to move.
        evidence: what the steady board shows.
        mapping: how to read it.
        position: what was accepted.
    """
    column = 1 + mapping.plastic[mover]
    lead = evidence[:, column] - np.delete(evidence, column, axis=1).max(axis=1)
    able, unseen = (
        mapping.mask(mask_of(np.flatnonzero(some).tolist())) & ~position.occupied
        for some in (lead > -_DIM, np.abs(lead) < _DIM)
    )
    able_to_hide = (m for m in position.legal_moves if not m.mask & ~able)
    return any((move.mask & unseen).bit_count() >= _UNSEEN for move in able_to_hide)


def either(moves: Sequence[Accepted]) -> tuple[Candidate, ...]:
    """Moves of which any may have come first."""
    even = round(1 / max(len(moves), 1), 4)
    return tuple(Candidate(one.colour, one.move, even) for one in moves)


def in_order(judgement: Adjudication) -> tuple[Candidate, ...]:
    """Moves that were all made while nobody watched, the first of them first."""
    return tuple(
        Candidate(one.colour, one.move, round(float(1 / (1 + np.exp(-one.margin))), 4))
        for one in judgement.moves
    )
