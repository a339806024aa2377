"""A table without pictures at which scripted people play game after game.

Journal, referee, archive and the server of the page are those of a real table.
"""

import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

import numpy as np

from firmware.assembly.game_config import config_from_settings, laid_edition
from firmware.assembly.services import ComposedTable
from firmware.assembly.table_places import TablePlaces
from firmware.game.config import GameConfig
from firmware.game.state import GameState
from firmware.session.devices import TableDevices
from firmware.session.tracker import GameTracker
from firmware.settings import Settings
from firmware.simulator.clock import ManualClock
from firmware.simulator.move_choice import sensibly
from firmware.simulator.plain_view import PlainBoard, PlainCamera, PlainReader
from firmware.storage.camera_memory import Corners
from firmware.storage.session_inputs import BoardGeometry
from web.contract import (
    AgreeToBegin,
    AnswerKind,
    ClubRequest,
    ClubTable,
    ConfirmResult,
    ContractError,
    FrameDecoder,
    OfferState,
    Reply,
    encode,
    unix_address,
)
from web.contract.club import PhoneAction

_THINK_S: Final = (8.0, 30.0)
"""Shortest and longest seconds of the table's time before a piece is laid."""

_FRAME_S: Final = 0.5
"""Seconds between two frames while something happens."""

_STARES_S: Final = 5.0
"""Seconds between two frames while nothing happens. With frames each 0.5 s a table at 20 times real
speed took 5 % of a PC's core; so it takes 1.6 %."""

_LOOKS: Final = 12
"""Frames in which the table has to follow a piece that was laid."""

_ADMIRED_S: Final = 40.0
"""Seconds for which the pieces lie on the board after the end of a game."""

_ANSWERS_S: Final = 10.0
"""Seconds in which the table has to answer; a frame is taken before each look for the answer."""

_ID_BYTES: Final = 8
"""Bytes of the id of a request."""

Pause = float
"""Seconds of the table's time until the next frame."""


class PlainTableFactory:
    """Opens a board without pictures.

    Args:
        clock: the table's time.

    Attributes:
        board: the board of the newest game, once there is one.
    """

    def __init__(self, clock: ManualClock) -> None:
        self._clock: Final = clock
        self._camera: Final = PlainCamera(clock)
        self.board: PlainBoard

    def look_again(
        self,
        config: GameConfig,
        state: GameState,
        corners: Corners | None = None,  # noqa: ARG002 - nothing is looked for
    ) -> TableDevices:
        """Opens a board anew."""
        return self.open(config, state)

    def open(self, config: GameConfig, state: GameState) -> TableDevices:
        """Opens a board with the pieces of a game."""
        edition, geometry = laid_edition(config), BoardGeometry()
        self.board = board = PlainBoard(config.game.size, edition)
        for colour, move in state.lying:
            board.lay(colour, move)
        tracker = GameTracker.of_game(
            PlainReader(board),
            config,
            state,
            edition=edition,
            first=config.first or config.begins or edition[0],
            turned=0,
        )
        return TableDevices(self._camera, tracker, geometry=lambda: geometry, clears_board=True)


class PlainTable:
    """A table at which scripted people play.

    Args:
        settings: settings of the game.
        folder: folder of socket, journal and games.
        seed: seed of all random choices.

    Attributes:
        clock: the table's time.
        services: journal, archive, server of the page, paired phones.
        controller: the same loop as at a real table.
        due_s: time of the table at which the next frame is taken.
    """

    def __init__(self, settings: Settings, folder: Path, seed: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.clock: Final = ManualClock()
        self._factory: Final = PlainTableFactory(self.clock)
        places = TablePlaces.within(folder)
        self.services: Final = ComposedTable(settings, places, self._factory)
        self._people: Final = PlainPeople(places.socket)
        self._plays_matches = False
        config = config_from_settings(settings)
        self.controller: Final = self.services.begin(config, None, fresh=False)
        self._dice: Final = np.random.default_rng(seed)
        self._choose: Final = sensibly(seed)
        self._script: Final = self._play()
        self.due_s = 0.0

    @property
    def state(self) -> GameState:
        """The state of the game on the table."""
        return self.controller.session.state

    def step(self, now_s: float, now: float) -> None:
        """Takes the frames that are due.

        Args:
            now_s: the table's time.
            now: monotonic seconds, for the outputs.
        """
        if now_s < self.due_s:
            return
        self.clock.now_s = now_s
        pause = next(self._script)
        self.controller.step(now)
        self.due_s = now_s + pause

    def close(self) -> None:
        """Ends the table; its game can be resumed."""
        self.controller.close()
        self.services.close()

    def __enter__(self) -> Self:
        self.services.feed.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # People

    def _play(self) -> Iterator[Pause]:
        """Plays game after game; a frame is taken after each step."""
        while True:
            action = self._people.next_action(self.services.feed.club)
            self._plays_matches |= action is not None
            if action is not None:
                for _ in self._people.ask(*action):
                    yield _FRAME_S
            elif self.state.to_lift:
                yield from self._lift()
            elif self.state.over:
                yield from self._tidy()
            elif self._waits or self.state.paused or self.state.position.to_move is None:
                yield _STARES_S
            else:
                yield from self._turn()

    @property
    def _waits(self) -> bool:
        """True if they wait for their next match: whoever plays in a tournament plays no other."""
        club = self.services.feed.club
        is_match = club is not None and club.match is not None
        return self._plays_matches and not is_match and not self.state.piece_count

    def _turn(self) -> Iterator[Pause]:
        """Thinks, and lays a piece."""
        state, session = self.state, self.controller.session
        for _ in range(int(self._dice.uniform(*_THINK_S) / _STARES_S)):
            yield _STARES_S
        if self.state.position is not state.position or self.controller.session is not session:
            return  # an arbiter has changed the game meanwhile
        colour = state.position.to_move
        assert colour is not None, "somebody is to move"
        move, board = self._choose(state.position), self._board
        board.has_hand = True
        yield _FRAME_S
        board.has_hand = False
        board.lay(colour, move)
        yield from self._until(lambda: self.state.position is not state.position)
        if self._board is board and self.state.position is state.position:
            board.lift(move)  # the table did not follow; they try again
            yield _FRAME_S

    def _lift(self) -> Iterator[Pause]:
        """Lifts what the table says."""
        for _, move in self.state.lying[self.state.piece_count :]:
            self._board.lift(move)
        yield from self._until(lambda: not self.state.to_lift)

    def _tidy(self) -> Iterator[Pause]:
        """Looks at the result, and takes the pieces away, which begins the next game."""
        board = self._board
        for _ in range(int(_ADMIRED_S / _STARES_S)):
            yield _STARES_S
            club = self.services.feed.club
            if self._board is not board or self._people.next_action(club) is not None:
                return
        board.clear()
        yield from self._until(lambda: self._board is not board)

    def _until(self, holds: Callable[[], bool]) -> Iterator[Pause]:
        for _ in range(_LOOKS):
            yield _FRAME_S
            if holds():
                return

    @property
    def _board(self) -> PlainBoard:
        return self._factory.board


class PlainPeople:
    """Phones of the people at a table: they begin the matches of a hall, and confirm results.

    They speak to the table's socket, as the phones of real people do by the page.

    Args:
        path: socket of the table.
    """

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._tokens: dict[int, str] = {}

    def next_action(self, club: ClubTable | None) -> tuple[int, PhoneAction] | None:
        """Returns the next action of somebody, with the person; None if there is nothing to do.

        Args:
            club: what happens at the table besides its game.
        """
        if club is None:
            return None
        result, offer = club.result, club.offer
        if result is not None:
            for number, side in enumerate(result.sides):
                person = next((one for one in side.people if one in self._tokens), None)
                if side.answer is AnswerKind.NONE and person is not None:
                    return person, ConfirmResult(result.tag, number)
        if offer is not None and offer.state is OfferState.PEOPLE:
            people = range(len(offer.match.players))
            person = next((one for one in people if one not in offer.agreed), None)
            if person is not None:
                return person, AgreeToBegin(offer.match.tag, person)
        return None

    def ask(self, person: int, action: PhoneAction) -> Iterator[None]:
        """Sends an action of a person, and waits for the answer; a frame is taken at each step."""
        is_agreement = isinstance(action, AgreeToBegin)
        token = "" if is_agreement else self._tokens.get(person, "")
        request = ClubRequest(secrets.token_hex(_ID_BYTES), token, "", action)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as phone:
            with suppress(OSError), unix_address(self._path) as address:
                phone.connect(address)
                phone.sendall(encode(request))
            phone.settimeout(0.0)
            decoder = FrameDecoder()
            until = time.monotonic() + _ANSWERS_S
            while time.monotonic() < until:
                yield
                reply = _heard(phone, decoder, request.id)
                if reply is not None:
                    if is_agreement and reply.token:
                        self._tokens[person] = reply.token
                    return


def _heard(phone: socket.socket, decoder: FrameDecoder, id_: str) -> Reply | None:
    """Returns the answer to a request; None before it is there."""
    with suppress(OSError, ContractError):
        for message in decoder.feed(phone.recv(1 << 20)):
            if isinstance(message, Reply) and message.id == id_:
                return message
    return None
