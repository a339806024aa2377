"""Events of a puzzle written to a record: liftings, refusals, overruled pieces and the time."""

from collections.abc import Sequence

from firmware.game.events import (
    Event,
    Moment,
    MoveAccepted,
    MoveRefused,
    Overruled,
    Paused,
    PositionSet,
    Resumed,
    Undone,
)
from firmware.records.record import Record
from firmware.records.replay import (
    ReplayedLifting,
    ReplayedMove,
    ReplayedRefusal,
    ReplayedSetup,
    replay,
)
from firmware.records.writer import RecordWriter
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, Variant
from tests.support.solved_puzzles import TETROMINOES, moves_of

PIECES = moves_of(TETROMINOES)


def at(frame: int) -> Moment:
    return Moment(frame, frame / 2)


def laid(frame: int, number: int) -> MoveAccepted:
    colour, move = PIECES[number]
    return MoveAccepted(*at(frame), number + 1, colour, move, 1.0)


def lifted(frame: int, number: int) -> Undone:
    colour, move = PIECES[number]
    return Undone(*at(frame), number + 1, colour, move)


def written(events: Sequence[Event], game: Variant = TETROMINOES.game) -> Record:
    writer = RecordWriter(Record.new(game))
    for event in events:
        writer.add(event)
    return Record.read(writer.record.write())


def test_a_record_notes_a_move_whose_order_was_not_seen() -> None:
    first, second = (Move.parse(squares, 14) for squares in ("e10", "j5"))
    record = written(
        [
            MoveAccepted(*at(2), 1, 0, first, 1.0),
            MoveAccepted(*at(4), 2, 1, second, 1.0, order_seen=False),
        ],
        GAMES["duo"],
    )
    assert [node.text("CLORDER") for node in record.root.main_line()] == [None, None, "unseen"]
    assert [entry.violations for entry in replay(record) if isinstance(entry, ReplayedMove)] == [
        (),
        (),
    ]


def test_a_puzzle_reads_back_as_it_was_played() -> None:
    wrong = Move.parse("q1,r1,s1,t1", 20)
    violations = Position.start(TETROMINOES.game).examine(wrong.squares, 3)
    events = [
        laid(2, 0),
        laid(4, 7),
        MoveRefused(*at(6), 3, wrong.squares, violations),
        laid(8, 3),
        lifted(10, 0),
        laid(12, 12),
        Overruled(*at(14), 5, 3, wrong, violations),
    ]
    record = written(events)
    entries = list(replay(record))
    kinds = [ReplayedMove, ReplayedMove, ReplayedRefusal, ReplayedMove, ReplayedLifting]
    assert [type(entry) for entry in entries] == [*kinds, ReplayedMove, ReplayedMove]
    last = entries[-1]
    assert isinstance(last, ReplayedMove)
    assert last.played.overruled
    assert last.violations == violations
    expected = Position.start(TETROMINOES.game)
    for colour, move in (PIECES[7], PIECES[3], PIECES[12], (3, wrong)):
        expected = expected.put(move, colour)
    assert last.after == expected
    assert record.seconds == 6.0


def test_pieces_lifted_at_once_are_one_lifting() -> None:
    events = [laid(2, 0), laid(3, 1), laid(4, 2), lifted(5, 1), lifted(5, 0), lifted(6, 2)]
    liftings = [one for one in replay(written(events)) if isinstance(one, ReplayedLifting)]
    assert [one.lifted for one in liftings] == [(PIECES[1], PIECES[0]), (PIECES[2],)]


def test_a_piece_lifted_after_another_was_laid_at_that_frame_is_a_lifting_of_its_own() -> None:
    events = [laid(2, 0), laid(3, 1), lifted(5, 1), laid(5, 2), lifted(5, 0)]
    liftings = [one for one in replay(written(events)) if isinstance(one, ReplayedLifting)]
    assert [one.lifted for one in liftings] == [(PIECES[1],), (PIECES[0],)]


def test_the_time_is_that_of_the_newest_piece_without_pauses() -> None:
    events = [laid(10, 0), Paused(*at(20)), Resumed(*at(120)), laid(130, 1)]
    assert written(events).seconds == 10.0
    assert written([*events, Paused(*at(500))]).seconds == 10.0
    assert written([]).seconds is None


def test_a_position_that_was_set_goes_through_the_record_of_a_puzzle() -> None:
    later = Position.start(TETROMINOES.game).put(PIECES[5][1], PIECES[5][0])
    events = [laid(2, 0), PositionSet(*at(4), later), laid(6, 1)]
    entries = list(replay(written(events)))
    settings = [entry for entry in entries if isinstance(entry, ReplayedSetup)]
    assert settings[-1].after == later
    assert settings[-1].problems == ()
    last = entries[-1]
    assert isinstance(last, ReplayedMove)
    assert last.after == later.put(PIECES[1][1], PIECES[1][0])
