"""A player's process that answers at once, or fails, as a test wants it."""

from typing import TYPE_CHECKING

from firmware.errors import PlayerError
from firmware.player.client import EngineClient, SearchRequest
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.board import Move
from firmware.rules.position import Position

if TYPE_CHECKING:
    from firmware.codes import PlayerFailure


def largest(position: Position) -> Move:
    """Returns the move that the process names."""
    return max(position.legal_moves, key=lambda move: (move.piece.size, move.index))


class ScriptedEngine(EngineClient):
    """Names a large move of the position.

    Attributes:
        asked: all requests.
        started: number of starts.
        broken: reason for which it can neither be started nor asked; None while it works.
        thinks: True while it gives no answer.
        searches: True while an answer at a level is not the last one.
        highest_level: highest level that the machine plays in time; None if it was not measured.
    """

    def __init__(self) -> None:
        self.asked: list[SearchRequest] = []
        self.started = 0
        self.broken: PlayerFailure | None = None
        self.thinks = False
        self.searches = False
        self.highest_level: int | None = None

    def __call__(self) -> "ScriptedEngine":
        self._check()
        self.started += 1
        return self

    def ask(self, request: SearchRequest) -> int:
        self._check()
        self.asked.append(request)
        return len(self.asked)

    def answer(self, request: int) -> SearchResult | None:
        self._check()
        if self.thinks:
            return None
        asked = self.asked[request - 1]
        done = not (self.searches and asked.level)
        choice = SearchedMove(largest(Position.parse(asked.position)), 0.5, 0.0, 10)
        highest = self.highest_level
        return SearchResult((choice,), 10, 0.1, done=done, highest_level=highest)

    def close(self) -> None:
        """Ends nothing: a test asks the same engine again."""

    def _check(self) -> None:
        if self.broken is not None:
            raise PlayerError(self.broken, "it gives no answer")
