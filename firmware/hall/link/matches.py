"""The match that a hall offers at the table, who agrees to begin it, and its result."""

from firmware.codes import EndReason, Timing
from firmware.game.config import GameConfig
from firmware.game.events import ResultDisputed
from firmware.game.result import game_result
from firmware.game.seating import colours_of
from firmware.game.state import GameState
from firmware.rules.scoring import score
from firmware.rules.variants import Variant
from firmware.storage.page_builder import build_sides
from web.contract import (
    AnswerKind,
    GameKey,
    MatchOffer,
    MatchResult,
    NewGame,
    OfferedMatch,
    OfferState,
    PlayedMatch,
    SideAnswer,
)

_MatchKey = tuple[str, tuple[str, ...]]
"""Id of a match and of its players: a match with other players is another one."""


class MatchDesk:
    """The offered match: wanted by the hall, agreed on by people, begun once.

    A match that has begun at this table is not offered again, unless its game was abandoned.
    """

    def __init__(self) -> None:
        self._match: OfferedMatch | None = None
        self._agreed: dict[int, str] = {}
        self._begun: set[_MatchKey] = set()

    def offer(self, match: OfferedMatch | None) -> None:
        """Offers a match instead of the one before; None withdraws it."""
        if match != self._match:
            self._match, self._agreed = match, {}

    def follow(self, state: GameState) -> None:
        """Notes what becomes of the game on the table."""
        if state.match is not None:
            key = state.match.match, state.match.players
            (self._begun.discard if _is_abandoned(state) else self._begun.add)(key)
        if _is_under_way(state):
            self._agreed = {}

    def entry(self, state: GameState) -> MatchOffer | None:
        """Returns the offer for the page; None if there is none, or it has begun."""
        match = self._match
        if match is None or _key(match) in self._begun:
            return None
        if _is_under_way(state):
            return MatchOffer(match, OfferState.GAME)
        agreed = sorted(self._agreed.items())
        waits = OfferState.BOARD if len(agreed) == len(match.players) else OfferState.PEOPLE
        persons, phones = tuple(one for one, _ in agreed), tuple(phone for _, phone in agreed)
        return MatchOffer(match, waits, persons, phones)

    def agree(self, person: int | None, phone: str) -> None:
        """Notes that a player agrees; None for all of them, on the word of a paired phone.

        Args:
            person: the player, by place in the order of play.
            phone: fingerprint of the phone; empty for a paired one, which takes no seat.
        """
        assert self._match is not None, "people agree on a match"
        if person is not None:
            self._agreed[person] = phone
            return
        for one in range(len(self._match.players)):
            self._agreed.setdefault(one, phone)

    def phones_of(self, match: OfferedMatch) -> tuple[str, ...]:
        """Returns the fingerprint of each player's phone; empty where there is none."""
        return tuple(self._agreed.get(person, "") for person in range(len(match.players)))

    def forget_agreement(self) -> None:
        """Has people agree anew, because the match could not begin."""
        self._agreed = {}


def command_of(match: OfferedMatch) -> NewGame:
    """Returns the command that begins a match."""
    return NewGame(
        GameKey(match.game),
        names=tuple(player.name for player in match.players),
        timing=Timing.SUDDEN_DEATH if match.clock_s else Timing.NONE,
        clock_s=match.clock_s,
    )


def _key(match: OfferedMatch) -> _MatchKey:
    return match.id, tuple(player.id for player in match.players)


def _is_abandoned(state: GameState) -> bool:
    return state.ended is EndReason.ABANDONED


def _is_under_way(state: GameState) -> bool:
    """True if a game would be interrupted; a game that waits for its first piece would not."""
    pieces = state.piece_count or state.pending or state.refused or state.in_doubt
    return bool(pieces) and not state.over


def played_match(state: GameState) -> PlayedMatch | None:
    """Returns the match that the game on the table is; None if it is none."""
    match = state.match
    return None if match is None else PlayedMatch(match.match, match.round, match.players)


def people_of(game: Variant, side: int) -> tuple[int, ...]:
    """Returns the persons of a side, by place in the order of play."""
    colours = set(game.sides[side])
    return tuple(one for one in range(game.people) if colours.issuperset(colours_of(game, one)))


def build_result(state: GameState, config: GameConfig, name: str) -> MatchResult | None:
    """Returns the result of the match on the table.

    Args:
        state: the state of the game.
        config: settings of the game.
        name: name of the folder of its files.

    Returns:
        The result; None while the game lasts, after it was abandoned, or if it is no match.
    """
    match, found = played_match(state), game_result(state, config.scoring)
    if match is None or found is None or found.how is EndReason.ABANDONED:
        return None
    answers = {one.side: one for one in state.answers}
    first, sides = {*found.winner, *found.tied}, []
    for at, side in enumerate(build_sides(state.position, score(state.position), config.scoring)):
        answer = answers.get(at)
        disputed = isinstance(answer, ResultDisputed)
        kind = AnswerKind.DISPUTED if disputed else AnswerKind.CONFIRMED
        sides.append(
            SideAnswer(
                people_of(state.position.game, at),
                side.score,
                won=not first.isdisjoint(side.colours),
                answer=AnswerKind.NONE if answer is None else kind,
                sentence=answer.sentence if isinstance(answer, ResultDisputed) else "",
            )
        )
    return MatchResult(match, name, found.how, tuple(sides), config.scoring)
