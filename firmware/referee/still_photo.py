"""Evaluates one picture by the rules, without history: pieces, violations, score.

Only this module repairs a reading: if a position is impossible as read, and exactly one change of
one doubtful square makes it possible, that change is made and reported. The referee never repairs,
because it would accept pieces that were not seen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from firmware.codes import Rule
from firmware.referee.frame_mapping import FrameMapping, mappings
from firmware.referee.misreadings import doubtful_pieces, is_plausible
from firmware.referee.placement_matching import Contents, overhang
from firmware.rules.board import Board, mask_of, mask_where, squares_of
from firmware.rules.extent import start_mask
from firmware.rules.reconstruction import Borders, Reconstruction, recover
from firmware.rules.variants import EDITIONS, LETTERS, Edition, Variant
from firmware.rules.violations import Violation, violation
from vision.reading import GOES_ON, Reading

_DOUBTFUL: Final = 0.98
"""Probability of its content below which a square is reported as unsure. Of 559 traced frames with
a hand none has a wrong square that is sure, with 0.97 two have; of 4,551 traced and 1,400 rendered
boards none with 0.97, two with 0.95."""

_POSSIBLE: Final = 0.02
"""Least probability of a content by which a square is repaired, or that it may have beside one that
the rules shall confirm."""

_MOST_TRIED: Final = 60
"""Greatest number of squares that are tried with another content, the most doubtful ones."""

_ILLEGAL: Final = 0.05
"""Prior probability of an impossible position relative to a possible one: people make mistakes."""

_MOST_TOGETHER: Final = 32
"""Greatest number of ways in which open squares beside each other are tried together."""

_LIKELY: Final = 0.6
"""Least probability of a content that the rules can confirm."""

_ENDS: Final = 3.0
"""Log odds from which a piece is seen to end between two squares."""

_THINKABLE: Final = 0.0025
"""Least probability of a content that makes its square unsure if with it alone an impossible
position is possible: a twentieth of `_ILLEGAL`."""

_SURE_OF_MISREAD: Final = 1 - _THINKABLE
"""Probability below which a square is reported as unsure if a position is rather misread than laid
against the rules: then another content has no smaller prior. Of 777 traced boards, 12 of 23 wrong
squares were on such, and are reported."""

_MISREAD: Final = 5
"""Number of doubtful squares from which an impossible position that no single square explains is
rather misread. Five of ten photographs of 400 squares that are read right are impossible, as a
piece is missing or covered, with at most 3 doubtful squares; traced boards of 196 squares that
were misread have 6 to 49."""

_MOST_SETTLED: Final = 8
"""Greatest number of doubtful squares that the rules can confirm: of more, several may be wrong."""

_DOUBTFUL_PIECE: Final = -4.5
"""Mean log odds of the squares of a piece from which it is doubtful as a whole; of 1,274 traced
boards, this makes 14 of 21 wrong squares unsure, and 214 right ones."""

_DOUBTFUL_OF_MISREAD: Final = -7.0
"""The same in an impossible position that is rather misread than laid against the rules."""

_LEAST: Final = 1e-12
"""Least probability of a content, so that its logarithm is finite."""


@dataclass(frozen=True, slots=True)
class StandingPiece:
    """A piece in the picture; squares in the reader's frame, in the order of game records."""

    colour: str
    piece: str
    squares: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PhotoProblem:
    """A violation that no legal game has; squares in the reader's frame."""

    colour: str
    violation: Violation


@dataclass(frozen=True, slots=True)
class StillPhoto:
    """Position on the board in a picture, in the reader's frame.

    Attributes:
        game: the variant whose rules were applied.
        edition: names of the colours, in the order of the reader's palette.
        corners: (4, 2), see `Reading`.
        rows: the board as text, top row first, with `?` for hidden squares.
        confidence: mean probability of the contents in `rows`, over the visible squares.
        unsure: squares whose content is uncertain, ascending.
        foreign: those of them that look like neither the board nor its tiles.
        repaired: squares that were changed so that the position is possible.
        pieces: the pieces, in the order of the palette.
        problems: the violations.
        points: advanced score by name of the colour, None for a shared one.
        plausible: True if pieces of real sets can lie so, and not every square in view is open;
            if not, the colours or the place of the board were misjudged, and all are unsure.
        has_colours: False if the picture has none, see `Reading`.
    """

    game: Variant
    edition: Edition
    corners: NDArray[np.float64]
    rows: tuple[str, ...]
    confidence: float
    unsure: tuple[int, ...]
    foreign: tuple[int, ...]
    repaired: tuple[int, ...]
    pieces: tuple[StandingPiece, ...]
    problems: tuple[PhotoProblem, ...]
    points: dict[str, int | None]
    plausible: bool
    has_colours: bool

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON form: a line of `read --json` without the name of the picture."""
        board = Board.of(self.game.size)

        def names(squares: Sequence[int]) -> list[str]:
            return [board.format_square(square) for square in squares]

        return {
            "found": True,
            "game": self.game.key,
            "edition": _edition_name(self.edition),
            "size": self.game.size,
            "corners": np.round(self.corners, 1).tolist(),
            "cells": list(self.rows),
            "confidence": self.confidence,
            "unsure": names(self.unsure),
            "foreign": names(self.foreign),
            "repaired": names(self.repaired),
            "pieces": [
                {"color": one.colour, "piece": one.piece, "cells": names(one.squares)}
                for one in self.pieces
            ],
            "problems": [
                {
                    "rule": one.violation.rule.value,
                    "color": one.colour,
                    "squares": names(one.violation.squares),
                    "against": names(one.violation.against),
                }
                for one in self.problems
            ],
            "score": self.points,
            "plausible": self.plausible,
            "has_colours": self.has_colours,
        }


def examine_picture(reading: Reading, game: Variant) -> StillPhoto:
    """Evaluates one picture by the rules.

    Args:
        reading: reading of the picture.
        game: the variant played; it has the size and the number of colours of the reading.

    Raises:
        ValueError: the reading is of another size, or has not as many colours.
    """
    if reading.size != game.size or len(reading.palette) != len(game.colours):
        raise ValueError(
            f"{game.title} has {game.size}x{game.size} squares and {len(game.colours)} colours, "
            f"the picture {reading.size}x{reading.size} and {len(reading.palette)}"
        )
    evidence = np.where(reading.covered[:, None], 0.0, reading.probabilities)
    contents = np.where(reading.covered, 0, evidence.argmax(axis=1))
    hidden = mask_where(reading.covered)
    borders = _borders(reading)
    found = _understand(contents, hidden, game, reading.palette, borders)
    claimed = evidence.max(axis=1)
    is_misplaced = claimed.max() < _LIKELY and not reading.covered.all()
    if is_misplaced or not is_plausible(contents, claimed >= _DOUBTFUL, hidden):
        return _implausible(_photograph(reading, game, contents, (), found))
    repaired: tuple[int, ...] = ()
    explaining = set[int]()
    if found.problems:
        explanations = list(_explanations(evidence, contents, hidden, game, reading.palette))
        explaining = {square for square, _, _ in explanations}
        repairs = [one for one in explanations if _may_repair(evidence[one[0]], one[1])]
        if len(repairs) == 1:
            square, content, found = repairs[0]
            contents[square] = content
            repaired = (square,)
    photograph = _photograph(reading, game, contents, repaired, found)
    doubtful = len(photograph.unsure) - reading.covered.sum()
    is_misread = bool(found.problems and not explaining and doubtful >= _MISREAD)
    if is_misread:
        photograph = replace(photograph, unsure=_unsure(reading, contents, _SURE_OF_MISREAD))
    settled = _settled(evidence, contents, hidden, found, reading.palette)
    unsure = ({*photograph.unsure} - {*settled}) | explaining | {*photograph.foreign}
    least = _DOUBTFUL_OF_MISREAD if is_misread else _DOUBTFUL_PIECE
    unsure |= _in_doubtful_pieces(evidence, contents, hidden, found, least)
    hanging, may_hang = _beyond(reading, photograph.pieces)
    return replace(
        photograph,
        unsure=tuple(sorted(unsure | may_hang)),
        problems=(*hanging, *photograph.problems),
    )


def _beyond(
    reading: Reading, pieces: Sequence[StandingPiece]
) -> tuple[list[PhotoProblem], set[int]]:
    """Returns the pieces that go on beyond the border, and the squares of those that may."""
    hanging, may_hang = list[PhotoProblem](), set[int]()
    for one in pieces:
        squares = mask_of(one.squares)
        odds = overhang(reading.beyond, squares)
        if odds >= GOES_ON:
            hanging.append(PhotoProblem(one.colour, violation(Rule.OFF_BOARD, squares)))
        elif odds > -GOES_ON:
            may_hang.update(one.squares)
    return hanging, may_hang


def _implausible(photograph: StillPhoto) -> StillPhoto:
    """Returns the same with every square unsure, and the confidence of a guess."""
    return replace(
        photograph,
        confidence=round(1 / (1 + len(photograph.edition)), 4),
        unsure=tuple(range(photograph.game.size**2)),
        plausible=False,
    )


def _unsure(reading: Reading, contents: Contents, least: float) -> tuple[int, ...]:
    """Returns the squares that are covered, or whose content has less than some probability."""
    probability = _of_contents(reading.probabilities, contents)
    return tuple(np.flatnonzero(reading.covered | (probability < least)).tolist())


def _of_contents(values: NDArray[Any], contents: Contents) -> NDArray[Any]:
    """Returns (squares,) what the values, (squares, 1 + k), have for the content of each square."""
    return values[np.arange(len(contents)), contents]


@dataclass(frozen=True, slots=True)
class _Understood:
    """A recovered position, and its violations in the reader's frame by column of the palette."""

    recovered: Reconstruction
    mapping: FrameMapping
    problems: tuple[tuple[int, Violation], ...]


def _borders(reading: Reading) -> Borders:
    """Returns the pairs of squares between which a piece is seen to end."""
    n, pairs = reading.size, []
    for square, column in np.argwhere(reading.ends > _ENDS).tolist():
        other = square + (1, n)[column]
        if other < n * n and (column == 1 or other % n):
            pairs.append(frozenset((square, other)))
    return frozenset(pairs)


def _understand(
    contents: Contents,
    hidden: int,
    game: Variant,
    palette: Edition,
    borders: Borders = frozenset(),
) -> _Understood:
    """Recovers the position in the possible mapping that has the fewest violations."""
    order = None if len(game.colours) != 2 else palette
    tried = []
    for mapping in mappings(game, palette, None, order):
        masks = mapping.masks(contents)
        recovered = recover(game, masks, order_known=False, borders=mapping.borders(borders))
        problems = tuple(
            (mapping.plastic[one.colour], _as_seen(mapping, one.violation))
            for one in recovered.problems
            if _certain(one.violation, mapping.mask(hidden), recovered)
        )
        tried.append(_Understood(recovered, mapping, problems))
    return min(tried, key=lambda one: len(one.problems))


def _as_seen(mapping: FrameMapping, violation: Violation) -> Violation:
    squares = tuple(sorted(map(mapping.seen_at, violation.squares)))
    against = tuple(sorted(map(mapping.seen_at, violation.against)))
    return Violation(violation.rule, squares, against)


def _certain(violation: Violation, hidden: int, recovered: Reconstruction) -> bool:
    """True if nothing on hidden squares could make the position legal."""
    if not hidden:
        return True
    board = recovered.position.board
    own = mask_of(violation.squares)
    match violation.rule:
        case Rule.WRONG_TURN:
            return False
        case Rule.MISSES_START | Rule.NO_OWN_CORNER:
            starts = start_mask(recovered.position.game)
            near = board.edge_neighbours(own) | board.corner_neighbours(own)
            return not hidden & (near | (starts if violation.rule is Rule.MISSES_START else 0))
        case Rule.PIECE_USED:
            both = own | mask_of(violation.against)
            return not hidden & board.edge_neighbours(both)
    return True


def _explanations(
    evidence: NDArray[np.float64], contents: Contents, hidden: int, game: Variant, palette: Edition
) -> Iterator[tuple[int, int, _Understood]]:
    """Yields changes of one square to a content it may have that make the position possible."""
    several = np.flatnonzero((evidence >= _THINKABLE).sum(axis=1) > 1)
    order = evidence[several].max(axis=1).argsort()
    for square in several[order][:_MOST_TRIED].tolist():
        for content in np.flatnonzero(evidence[square] >= _THINKABLE).tolist():
            if content == contents[square]:
                continue
            changed = contents.copy()
            changed[square] = content
            found = _understand(changed, hidden, game, palette)
            if not found.problems:
                yield square, content, found


def _may_repair(evidence: NDArray[np.float64], content: int) -> bool:
    """True if a square's evidence, (1 + k,), is doubtful enough for another content."""
    return bool(evidence.max() < _DOUBTFUL and evidence[content] >= _POSSIBLE)


def _settled(
    evidence: NDArray[np.float64],
    contents: Contents,
    hidden: int,
    found: _Understood,
    palette: Edition,
) -> list[int]:
    """Returns the doubtful squares for which any other content makes the position impossible.

    A misread tile is often wrong together with its neighbours, so other contents of these are tried
    too. People do break rules, so an impossible position is only less probable, see `_ILLEGAL`.
    """
    probability = _of_contents(evidence, contents)
    doubtful = np.flatnonzero((probability < _DOUBTFUL) & (evidence.max(axis=1) > 0))
    if found.problems or len(doubtful) > _MOST_SETTLED:
        return []
    game = found.recovered.position.game
    # Each doubtful square has another content as likely as this.
    possible = evidence >= min(_POSSIBLE, (1 - _DOUBTFUL) / len(palette))
    several = possible.sum(axis=1) > 1
    several[doubtful] = True
    groups = Board.of(game.size).groups(mask_where(several))
    settled = []
    for square in doubtful.tolist():
        least = _DOUBTFUL * (probability[square] + _ILLEGAL * (1 - probability[square]))
        if probability[square] < max(_LIKELY, least):
            continue
        together = next(list(squares_of(group)) for group in groups if group >> square & 1)
        if prod(possible[together].sum(axis=1).tolist()) > _MOST_TOGETHER:
            continue
        ways = product(*(np.flatnonzero(possible[one]).tolist() for one in together))
        if not any(
            _is_possible(contents, together, way, hidden, game, palette)
            for way in ways
            if way[together.index(square)] != contents[square]
        ):
            settled.append(square)
    return settled


def _in_doubtful_pieces(
    evidence: NDArray[np.float64],
    contents: Contents,
    hidden: int,
    found: _Understood,
    least: float,
) -> set[int]:
    """Returns the squares of pieces that are doubtful as a whole; see `doubtful_pieces`."""
    mapping = found.mapping
    seen = [mapping.seen_at(square) for square in range(len(contents))]
    log = np.log(np.maximum(evidence, _LEAST))
    read = _of_contents(log, contents)[:, None]
    others = np.where(np.arange(log.shape[1]) == contents[:, None], -np.inf, log - read)
    others = np.minimum(others, 0)
    odds = others[seen][:, 1 + np.array(mapping.plastic)].T
    position = found.recovered.position
    squares = doubtful_pieces(position, odds, mapping.mask(hidden), least)
    return {seen[square] for square in squares}


def _is_possible(
    contents: Contents,
    squares: list[int],
    others: tuple[int, ...],
    hidden: int,
    game: Variant,
    palette: Edition,
) -> bool:
    """True if a position is possible with other contents of some squares."""
    changed = contents.copy()
    changed[squares] = others
    return not _understand(changed, hidden, game, palette).problems


def _photograph(
    reading: Reading,
    game: Variant,
    contents: Contents,
    repaired: tuple[int, ...],
    found: _Understood,
) -> StillPhoto:
    letters = "." + "".join(LETTERS[name] for name in reading.palette)
    marks = np.array(list(letters))[contents]
    marks[reading.covered] = "?"
    probability = _of_contents(reading.probabilities, contents)
    visible = ~reading.covered
    problems = tuple(PhotoProblem(reading.palette[column], one) for column, one in found.problems)
    return StillPhoto(
        game,
        reading.palette,
        reading.corners,
        tuple("".join(row) for row in marks.reshape(game.size, game.size)),
        round(float(probability[visible].mean()), 4) if visible.any() else 0.0,
        _unsure(reading, contents, _DOUBTFUL),
        tuple(np.flatnonzero(reading.foreign).tolist()),
        repaired,
        _standing(found, reading.palette),
        problems,
        {
            reading.palette[found.mapping.plastic[colour]]: one.advanced
            for colour, one in enumerate(found.recovered.score.colours)
        },
        plausible=True,
        has_colours=reading.has_colours,
    )


def _standing(found: _Understood, palette: Edition) -> tuple[StandingPiece, ...]:
    """Returns the pieces of a position in the reader's frame."""
    mapping, position = found.mapping, found.recovered.position
    return tuple(
        StandingPiece(
            palette[mapping.plastic[colour]],
            move.piece.name,
            tuple(position.board.in_record_order(map(mapping.seen_at, squares_of(move.mask)))),
        )
        for colour, move in position.pieces
    )


def _edition_name(names: Edition) -> str:
    """Returns the name of the edition with these colours in any order, or their joined names."""
    same = (key for key, known in EDITIONS.items() if sorted(known) == sorted(names))
    return next(same, "-".join(names))
