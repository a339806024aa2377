"""The people whose names stand in past games: figures, and positions in which they lost points.

Everything is derived from the listings of the games when it is asked for. Names are compared by
`web.contract.person_names.skeleton`; the computer is no person.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Final

from web.contract import TrayPiece
from web.contract.person_names import skeleton
from web.game_archive import GameListing

Moment = tuple[str, int]
"""A position in which somebody lost points: name of the game, number of the moment there."""

_OFTEN: Final = 3
"""Pieces that are called the ones most often left."""

_PRACTISED: Final = 12
"""Positions on the page of a person."""

_key: Final = lru_cache(maxsize=4096)(skeleton)
"""Returns what names have in common, see `skeleton`."""


class PersonHistory:
    """A person, by the games in which the name stands.

    Attributes:
        name: the name, as it was typed in the newest game.
        games: names and listings of these games, newest first.
    """

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.games: Final[list[tuple[str, GameListing]]] = []

    def colours_in(self, game: GameListing) -> set[int]:
        """Returns the colours that the person played in a game."""
        return {at for at, one in enumerate(game.players) if _key(one) == _key(self.name)}

    def has_won(self, game: GameListing) -> bool:
        """True if the person, alone or in a team, won a game."""
        return not self.colours_in(game).isdisjoint(game.winner or ())

    @property
    def counted(self) -> list[GameListing]:
        """The games that have a result that counts, newest first."""
        return [game for _, game in self.games if game.winner is not None]

    @property
    def wins(self) -> int:
        """Number of games that the person won by the scoring of the game."""
        return sum(map(self.has_won, self.counted))

    @property
    def squares_left(self) -> float | None:
        """Squares left at the end of a game on average; None without a game that counts."""
        squares = [
            sum(len(piece.squares) for at in self.colours_in(game) for piece in game.left[at])
            for game in self.counted
        ]
        return sum(squares) / len(squares) if squares else None

    @property
    def often_left(self) -> list[tuple[TrayPiece, int]]:
        """The pieces most often left and their numbers; of as many, the larger ones first."""
        left = Counter(
            piece
            for game in self.counted
            for at in self.colours_in(game)
            for piece in game.left[at]
        )
        order = sorted(left, key=lambda one: (-left[one], -len(one.squares), one.name))
        return [(piece, left[piece]) for piece in order[:_OFTEN]]

    @property
    def points_lost(self) -> list[float]:
        """Expected points that a move cost on average, by reviewed game, oldest first."""
        means = []
        for _, game in reversed(self.games):
            own = self.colours_in(game)
            lost = [points for colour, points in game.lost if colour in own]
            if lost:
                means.append(sum(lost) / len(lost))
        return means

    @property
    def mistakes(self) -> list[tuple[Moment, float]]:
        """Moments and their points, the most costly first, not of one game twice in a row."""
        waiting = sorted(
            (-points, at, number)
            for at, (_, game) in enumerate(self.games)
            for number, colour, points in game.moments
            if colour in self.colours_in(game)
        )
        chosen: list[tuple[float, int, int]] = []
        while len(chosen) < _PRACTISED:
            before = chosen[-1][1] if chosen else None
            following = next((one for one in waiting if one[1] != before), None)
            if following is None:
                break
            waiting.remove(following)
            chosen.append(following)
        return [((self.games[at][0], number), -points) for points, at, number in chosen]


def people_of(games: Sequence[tuple[str, GameListing]]) -> list[PersonHistory]:
    """Returns everybody whose name stands in a game; who played last comes first.

    Args:
        games: names and listings of the games, newest first.
    """
    people: dict[str, PersonHistory] = {}
    for name, game in games:
        for key, typed in {_key(one): one for one in game.players if one}.items():
            people.setdefault(key, PersonHistory(typed)).games.append((name, game))
    return list(people.values())


def person_named(people: Sequence[PersonHistory], name: str) -> PersonHistory | None:
    """Returns the person of a name; None if there is none."""
    return next((one for one in people if _key(one.name) == _key(name)), None)


def puzzle_of_day(games: Sequence[tuple[str, GameListing]], day: date) -> Moment | None:
    """Returns the moment of a day, another one each day; None if there is none at all.

    Only reviews that were complete before the day take part, else the first one: so it stays the
    same while reviews are added.
    """
    reviewed = sorted((one for one in games if one[1].moments), key=lambda one: one[0])
    older = [one for one in reviewed if date.fromtimestamp(one[1].reviewed_s) < day]
    used = older or sorted(reviewed, key=lambda one: one[1].reviewed_s)[:1]
    moments = [(name, number) for name, game in used for number, *_ in game.moments]
    return moments[day.toordinal() % len(moments)] if moments else None
