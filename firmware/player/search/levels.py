"""Twelve levels of the player: simulations and temperature of each, and the move it plays.

The lowest levels draw their move from the prior, the others from the visits of their search. A
draw never takes a move that loses much more than the best one, so that weak levels play weakly
and not absurdly; in the opening moves of nearly equal value are drawn alike, so that strong
levels vary. The same seed in the same position always gives the same move.
"""

import random
from dataclasses import dataclass, replace
from typing import Final

from firmware.player.search.player import SearchPlayer
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.position import Position


@dataclass(frozen=True, slots=True)
class LevelParameters:
    """Parameters of a level.

    Attributes:
        simulations: simulations of a search; with 1 the move is drawn from the prior.
        temperature: a move is drawn in proportion to its prior or its visits to the power of
            1 / temperature; with 0 the move with the most visits is played. For visits it is
            twice as high in the opening.
    """

    simulations: int
    temperature: float

    @property
    def draws_prior(self) -> bool:
        """True if the move is drawn from the prior."""
        return self.simulations == 1


LEVELS: Final = (
    LevelParameters(1, 7.0),
    LevelParameters(1, 2.3),
    LevelParameters(1, 1.6),
    LevelParameters(1, 1.0),
    LevelParameters(1, 0.6),
    LevelParameters(24, 0.75),
    LevelParameters(65, 0.58),
    LevelParameters(175, 0.45),
    LevelParameters(400, 0.45),
    LevelParameters(1_200, 0.3),
    LevelParameters(3_600, 0.15),
    LevelParameters(10_800, 0.0),
)
"""Parameters of levels 1 to 12, fitted to even steps by `python -m tests.evaluation levels`."""

PROVING_LEVEL: Final = 7
"""The lowest level whose moves may be proved; the levels below it are to make mistakes."""

MOST_LOSS: Final = 0.35
"""Largest loss of value, from 0 lost to 1 won, of a drawn move against the best one."""

OPENING_PLIES: Final = 6
"""Pieces on the board below which the opening lasts."""

NEARLY_EQUAL: Final = 0.01
"""Difference in value up to which moves are drawn alike in the opening."""

_OPENING_FACTOR: Final = 2
"""Factor of the temperature of visits in the opening, so that games differ early."""

_KNOWN_SHARE: Final = 0.05
"""Visits, relative to those of the best move, from which on a value is known well enough."""

_DRAWN: Final = 4
"""Number of moves that are drawn from the prior, of which the first good one is played."""

_LIKELIEST: Final = 3
"""Number of the moves with the highest prior to which those drawn are compared."""

_COMPARING: Final = 48
"""Simulations of this comparison: about seven a move."""

REACHED_S: Final = 6.0
"""Seconds of a move within which a machine has to play a level to offer it."""

_MEASURED_S: Final = 0.1
"""Shortest search in seconds that tells the speed of the machine."""


def begin_level(player: SearchPlayer, position: Position, level: int, seed: int) -> int:
    """Lets the player search a position afresh; returns the simulations of each of its threads.

    Args:
        player: the player.
        position: the position.
        level: 1 to 12.
        seed: seed of the game.
    """
    player.forget(_chance(position, seed).randrange(1 << 30))
    return -(-LEVELS[level - 1].simulations // player.threads)


def choose(
    player: SearchPlayer, position: Position, found: SearchResult, level: int, seed: int
) -> SearchResult:
    """Puts the move that a level plays first, and leaves the other choices in their order.

    Args:
        player: the player, which compares moves that were drawn from the prior.
        position: the position.
        found: result of its search, with one choice or more.
        level: 1 to 12.
        seed: seed of the game; the same one always draws the same move.
    """
    parameters, chance = LEVELS[level - 1], _chance(position, seed)
    chosen = (
        _drawn_from_prior(player, position, found.choices, parameters, chance)
        if parameters.draws_prior
        else _drawn_from_visits(position, found.choices, parameters, chance)
    )
    others = (one for one in found.choices if one.move != chosen.move)
    return replace(found, choices=(chosen, *others))


def highest_level(simulations: int, seconds: float) -> int | None:
    """The highest level that a machine plays within 6 s a move, by the speed of a search.

    A search is slowest early in a game, so the speed at its start is a safe measure.

    Args:
        simulations: number of simulations of the search.
        seconds: duration of the search.

    Returns:
        1 to 12, or None if the search was too short to tell.
    """
    if seconds < _MEASURED_S:
        return None
    most = simulations / seconds * REACHED_S
    within = [level for level, one in enumerate(LEVELS, 1) if one.simulations <= most]
    return max(within, default=1)


def _chance(position: Position, seed: int) -> random.Random:
    return random.Random(f"{seed} {position}")  # noqa: S311 - a game, no secret


def _drawn_from_visits(
    position: Position,
    choices: tuple[SearchedMove, ...],
    parameters: LevelParameters,
    chance: random.Random,
) -> SearchedMove:
    best = choices[0]
    is_opening = sum(map(len, position.laid)) < OPENING_PLIES
    temperature = parameters.temperature * (_OPENING_FACTOR if is_opening else 1)
    weights = []
    for one in choices:
        weight = 0.0
        if one.visits and one.value >= best.value - MOST_LOSS:
            weight = _weight(one.visits / best.visits, temperature)
        if is_opening and _is_nearly_equal(one, best):
            weight = 1.0
        weights.append(weight)
    return chance.choices(choices, weights)[0]


def _is_nearly_equal(one: SearchedMove, best: SearchedMove) -> bool:
    is_known = one.visits >= _KNOWN_SHARE * best.visits
    return is_known and abs(one.value - best.value) <= NEARLY_EQUAL


def _weight(share: float, temperature: float) -> float:
    """Weight of a move with a share of the visits or the prior of the best one."""
    if temperature == 0:
        return float(share == 1)
    return float(share ** (1 / temperature))


def _drawn_from_prior(
    player: SearchPlayer,
    position: Position,
    choices: tuple[SearchedMove, ...],
    parameters: LevelParameters,
    chance: random.Random,
) -> SearchedMove:
    """The first move drawn whose loss against the likeliest moves is small enough."""
    likeliest = sorted(choices, key=lambda one: -one.prior)
    most = likeliest[0].prior
    weights = [_weight(one.prior / most, parameters.temperature) for one in choices]
    drawn = [one.move for one in chance.choices(choices, weights, k=_DRAWN)]
    known = {one.move for one in likeliest[:_LIKELIEST]}
    compared = player.compare(position, known.union(drawn), _COMPARING)
    values = {one.move: one for one in compared}
    best = max(compared, key=lambda one: one.value)
    good = (move for move in drawn if values[move].value >= best.value - MOST_LOSS)
    chosen = values[next(good, best.move)]
    prior = next(one.prior for one in choices if one.move == chosen.move)
    return replace(chosen, prior=prior)
