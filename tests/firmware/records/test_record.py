"""Records: properties of Pentobi, private properties, and the errors of broken files."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.codes import Rule, Scoring
from firmware.records.node_properties import AttemptedMove, PlayedMove, SetUp
from firmware.records.record import Record
from firmware.records.replay import (
    ReplayedMove,
    ReplayedPass,
    ReplayedRefusal,
    ReplayedSetup,
    replay,
)
from firmware.rules.board import Move
from firmware.rules.errors import RecordError, RulesError
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, PUZZLES
from tests.support.engine_games import DATA

DUO = GAMES["duo"]
PENTOBI_FILE = (DATA / "duo_pentobi_game10.blksgf").read_bytes()


def duo(text: str) -> Record:
    return Record.read(f"(;GM[Blokus Duo]{text})".encode())


def again(record: Record) -> Record:
    return Record.read(record.write())


def plies(record: Record) -> list[ReplayedMove]:
    return [entry for entry in replay(record) if isinstance(entry, ReplayedMove)]


def move(text: str, size: int = 14) -> Move:
    return Move.parse(text, size)


def test_a_file_of_pentobi_is_written_as_it_was_read() -> None:
    assert Record.read(PENTOBI_FILE).write() == PENTOBI_FILE


def test_a_file_of_pentobi_is_a_legal_game() -> None:
    found = plies(Record.read(PENTOBI_FILE))
    assert len(found) == 32
    assert all(not ply.violations for ply in found)
    assert found[-1].after.is_over


def test_everything_in_a_file_is_stored() -> None:
    text = (
        "(\n;GM[Blokus Duo]CA[UTF-8]AP[Pentobi:31.0]DT[2026-11-21]PB[Ann]PW[B\\]ea \\\\o/]\n"
        ";B[e10]BL[295.5]C[nice: \u00fc \u65e5\u672c\nsecond line]XYZZY[1][2]\n(\n;W[j5]\n)\n"
        "(\n;AB[e8,e9][g6,f7,g7]AE[e10]PL[W]\n;W[j4,j5]\n)\n)\n"
    )
    record = Record.read(text.encode())
    assert record.write().decode() == text
    assert record.names == ("Ann", "B]ea \\o/")


@pytest.mark.parametrize("key", GAMES)
def test_a_new_record_says_which_game_it_is(key: str) -> None:
    record = again(Record.new(GAMES[key]))
    assert record.game == GAMES[key]
    assert record.scoring is Scoring.ADVANCED


@pytest.mark.parametrize("key", PUZZLES)
def test_the_record_of_a_puzzle_is_one_of_classic_to_pentobi(key: str) -> None:
    record = Record.new(PUZZLES[key], names=["Ann"])
    record.time(83.24)
    read = again(record)
    assert (read.game, read.names, read.seconds) == (PUZZLES[key], ("Ann",), 83.2)
    assert f"GM[Blokus]CA[UTF-8]CLGAME[{key}]".encode() in record.write()


def test_a_game_says_no_seconds_and_an_unknown_puzzle_is_refused() -> None:
    assert again(Record.new(GAMES["classic"])).seconds is None
    with pytest.raises(RecordError, match="no game 'puzzle-hexominoes'; the games are"):
        Record.read(b"(;GM[Blokus]CLGAME[puzzle-hexominoes])")
    with pytest.raises(RecordError, match="puzzle-all cannot be a game of 'Blokus Duo'"):
        Record.read(b"(;GM[Blokus Duo]CLGAME[puzzle-all])")


@pytest.mark.parametrize("key", ["classic-3", "duo-4-3"])
@pytest.mark.parametrize("shared", range(4))
def test_a_new_record_says_which_colour_is_shared(key: str, shared: int) -> None:
    game = GAMES[key].sharing(shared)
    assert again(Record.new(game)).game == game


def test_pentobi_can_hold_green_only_as_the_shared_colour() -> None:
    assert b"GM[Blokus Three-Player]" in Record.new(GAMES["classic-3"]).write()
    assert b"GM[Blokus]" in Record.new(GAMES["classic-3"].sharing(0)).write()


def test_a_new_record_keeps_names_date_edition_and_scoring() -> None:
    record = again(
        Record.new(
            DUO,
            edition=("white", "black"),
            scoring=Scoring.BASIC,
            names=["Ann", "Bea"],
            date="2026-11-21",
            application="Cornerlight:1",
        )
    )
    assert record.edition == ("white", "black")
    assert record.letters == ("W", "K")
    assert record.scoring is Scoring.BASIC
    assert record.names == ("Ann", "Bea")
    assert record.root.text("DT") == "2026-11-21"
    assert record.root.text("AP") == "Cornerlight:1"


def test_four_people_in_teams_are_two_players_to_pentobi() -> None:
    record = again(Record.new(GAMES["classic-teams"], names=["Ann", "Bea", "Cem", "Dot"]))
    assert record.names == ("Ann", "Bea", "Cem", "Dot")
    assert record.root.text("PB") == "Ann & Cem"
    assert record.root.text("PW") == "Bea & Dot"


@pytest.mark.parametrize(
    ("key", "identifiers"),
    [("duo", ["B", "W"]), ("classic", ["1", "2", "3", "4"]), ("duo-4", ["1", "2", "3", "4"])],
)
def test_moves_have_the_properties_of_pentobi(key: str, identifiers: list[str]) -> None:
    position = Position.start(key)
    record = Record.new(GAMES[key])
    for _ in identifiers:
        colour = position.to_move
        assert colour is not None
        chosen = next(iter(position.legal_moves))
        record.play(chosen, colour, seconds_left=60.25)
        position = position.play(chosen)
    found = list(again(record).root.main_line())[1:]
    assert [node.properties[0].identifier for node in found] == identifiers
    assert [step.colour for step in again(record).steps() if isinstance(step, PlayedMove)] == list(
        range(len(identifiers))
    )
    clocks = [node.properties[1].identifier for node in found]
    sides = "BWBW" if key != "classic" else "1234"
    assert clocks == [f"{side}L" for side in sides[: len(identifiers)]]


@pytest.mark.parametrize(
    "text",
    [
        ";B[e10, e9 ];W[ j5]",
        ";1[e10,e9];2[j5]",
        ";BLUE[e10,e9];GREEN[j5]",
        ";B[e10][e9];W[j5]",
        ";B[E10,E9];W[J5]",
    ],
)
def test_moves_as_old_versions_of_pentobi_wrote_them_are_read(text: str) -> None:
    assert [str(ply.move) for ply in plies(duo(text))] == ["e9,e10", "j5"]


def test_a_move_taken_back_stays_as_a_variation() -> None:
    record = Record.new(DUO)
    record.play(move("e10"), 0)
    record.play(move("j5,j4"), 1)
    record.take_back()
    assert [str(ply.move) for ply in plies(again(record))] == ["e10"]
    record.play(move("j5"), 1)
    record.play(move("f9"), 0)
    read = again(record)
    assert [str(ply.move) for ply in plies(read)] == ["e10", "j5", "f9"]
    variations = read.root.children[0].children
    assert [(v.text("W"), v.text("CLUNDONE")) for v in variations] == [
        ("j5", None),
        ("j4,j5", "undone"),
    ]


def test_two_moves_in_a_row_can_be_taken_back() -> None:
    record = Record.new(DUO)
    record.play(move("e10"), 0)
    record.play(move("j5"), 1)
    record.take_back()
    record.take_back("corrected")
    record.play(move("e10,e9"), 0)
    assert [str(ply.move) for ply in plies(again(record))] == ["e9,e10"]
    assert b";\n" not in record.write()


def test_what_was_refused_after_a_move_was_taken_back_is_stored() -> None:
    record = Record.new(DUO)
    record.play(move("e10"), 0)
    record.take_back()
    record.attempt(move("a1").squares, 0)
    record.play(move("e10,e9"), 0)
    record.take_back()
    assert [type(entry) for entry in replay(again(record))] == [ReplayedRefusal]
    with pytest.raises(RecordError, match="no move to take back"):
        record.take_back()


def test_with_nothing_played_nothing_can_be_taken_back() -> None:
    with pytest.raises(RecordError, match="no move to take back"):
        Record.new(DUO).take_back()


def test_a_refused_placement_is_in_the_record_and_no_move() -> None:
    record = Record.new(DUO)
    record.attempt(move("a1").squares, 0)
    record.attempt(Position.start("duo").board.parse_squares("e10,j5"), 0)
    record.play(move("e10"), 0)
    record.attempt(move("e9").squares, 1)
    entries = list(replay(again(record)))
    assert [type(entry) for entry in entries] == [
        ReplayedRefusal,
        ReplayedRefusal,
        ReplayedMove,
        ReplayedRefusal,
    ]
    rules = [[v.rule for v in e.violations] for e in entries if isinstance(e, ReplayedRefusal)]
    assert rules == [[Rule.MISSES_START], [Rule.TWO_PIECES], [Rule.MISSES_START]]


def test_an_illegal_move_that_was_overruled_stands() -> None:
    record = Record.new(DUO)
    record.play(move("a1"), 0, overruled=[Rule.MISSES_START])
    record.play(move("j5"), 1)
    record.play(move("j4"), 0, overruled=[Rule.NO_OWN_CORNER, Rule.PIECE_USED])
    found = plies(again(record))
    assert [ply.stands for ply in found] == [True, True, True]
    assert [bool(ply.violations) for ply in found] == [True, False, True]
    # Pentobi refuses to open a record in which a piece is played twice.
    assert b";CLMOVE[B:j4]" in record.write()


def test_an_illegal_move_that_nobody_overruled_does_not_stand() -> None:
    found = plies(duo(";B[a1];W[j5]"))
    assert [ply.stands for ply in found] == [False, True]


def test_squares_off_the_board_are_a_broken_rule_and_no_broken_file() -> None:
    (ply,) = plies(duo(";B[e10,e99]"))
    assert [one.rule for one in ply.violations] == [Rule.OFF_BOARD]
    assert ply.played.off_board == ("e99",)
    assert ply.move is None


def test_an_illegal_move_lies_where_it_can_for_those_after_it() -> None:
    first, second = plies(duo(";B[e10,e9,e8,e7,e6,e5];W[j5]"))
    assert first.move is None
    assert second.violations == ()
    overlapping = plies(duo(";B[e10];W[e10];B[f9,f8]"))
    assert [one.rule for one in overlapping[1].violations] == [Rule.OVERLAP, Rule.MISSES_START]
    assert overlapping[2].violations == ()


def test_a_position_set_up_is_played_on() -> None:
    record = duo("AB[e9,d10,e10,f10,e11]AW[j5]PL[W];W[k4,k3];AE[j5]AB[g12]PL[W]")
    steps = list(record.steps())
    assert [type(step) for step in steps] == [SetUp, PlayedMove, SetUp]
    entries = list(replay(record))
    first, ply, second = entries
    assert isinstance(first, ReplayedSetup)
    assert isinstance(ply, ReplayedMove)
    assert isinstance(second, ReplayedSetup)
    assert first.problems == ()
    assert ply.violations == ()
    assert second.after.to_move == 1
    assert [p.violation.rule for p in second.problems] == [Rule.NO_OWN_CORNER, Rule.MISSES_START]


def test_a_position_set_by_the_arbiter_goes_through_the_record() -> None:
    before = Position.parse("duo free 1 | e10 f9,g9 | j5")
    after = Position.parse("duo free 2 | e10 f9,f8 | j5 k4")
    record = Record.new(DUO)
    record.set_position(Position.start("duo"), before)
    record.set_position(before, after)
    settings = [entry for entry in replay(again(record)) if isinstance(entry, ReplayedSetup)]
    assert settings[-1].after == after
    # Pentobi applies additions of a node before removals: a moved piece needs two nodes.
    assert all(
        not (node.values("AE") and (node.values("AB") or node.values("AW")))
        for node in record.root.main_line()
    )


def test_whose_turn_it_is_in_a_set_position_is_the_arbiters_business() -> None:
    (setting,) = replay(duo("AB[e10][f9,g9]AW[j5]PL[B]"))
    assert isinstance(setting, ReplayedSetup)
    assert (setting.problems, setting.after.to_move) == ((), 0)


def test_a_position_set_by_the_arbiter_is_taken_back_whole() -> None:
    record = Record.new(DUO)
    record.play(move("e10,e9"), 0)
    before = Position.parse("duo free 2 | e9,e10 | ")
    record.set_position(before, Position.parse("duo free 2 | e10,f10 | "))
    record.take_back()
    record.play(move("j5"), 1)
    entries = list(replay(again(record)))
    assert [type(entry) for entry in entries] == [ReplayedMove, ReplayedMove]
    final = entries[-1]
    assert isinstance(final, ReplayedMove)
    assert final.after == before.play(move("j5"))


def test_pieces_that_are_added_and_removed_are_removed() -> None:
    entries = list(replay(duo("AB[e10][f9]AE[f9];W[j5]")))
    assert isinstance(entries[0], ReplayedSetup)
    assert str(entries[0].after) == "duo free 1 | e10 | "


def test_pieces_set_up_side_by_side_are_a_problem() -> None:
    setting, _ = replay(duo("AB[e10,f10][g10]AW[j5]PL[W];W[k4,k3]"))
    assert isinstance(setting, ReplayedSetup)
    rules = {problem.violation.rule for problem in setting.problems}
    assert rules == {Rule.TOUCHES_OWN_SIDE, Rule.NO_OWN_CORNER}


@pytest.mark.parametrize(("shared", "players"), [(3, "123"), (1, "134")])
def test_people_are_named_by_the_colours_they_play(shared: int, players: str) -> None:
    record = Record.new(GAMES["classic-3"].sharing(shared), names=["Ann", "Bob", "Cy"])
    found = [record.root.text(f"P{number}") for number in players]
    assert found == ["Ann", "Bob", "Cy"]
    assert again(record).names == ("Ann", "Bob", "Cy")


def test_people_in_teams_have_a_clock_each() -> None:
    record = Record.new(GAMES["classic-teams"])
    record.play(move("a20", 20), 0, seconds_left=100)
    record.play(move("t20", 20), 1, seconds_left=99.5)
    assert b";1[a20]1L[100]\n;2[t20]2L[99.5]" in record.write()


def test_levels_and_seed_of_the_computer_are_stored() -> None:
    record = Record.new(GAMES["duo"])
    record.name_computer((0, 7), 12345)
    read = Record.read(record.write())
    assert (read.computer, read.seed) == ((0, 7), 12345)
    assert b"CLCOMPUTER[0][7]" in record.write()
    assert Record.new(GAMES["duo"]).computer == ()
    for text, message in (
        ("CLCOMPUTER[0][13]", "no level of the computer"),
        ("CLCOMPUTER[0]", "has 2 people"),
        ("CLSEED[x]", "no whole number"),
    ):
        with pytest.raises(RecordError, match=message):
            Record.read(f"(;GM[Blokus Duo]{text})".encode())


def test_the_result_is_stored() -> None:
    record = Record.new(DUO)
    record.finish("W+Resign")
    assert again(record).result == "W+Resign"


def test_a_colour_that_pieces_bring_back_can_pass_again() -> None:
    record = Record.read(PENTOBI_FILE)
    over = plies(record)[-1].after
    last = over.laid[0][-1]
    record.set_position(over, over.lift(last, 0).with_turn(0))
    record.play(last, 0)
    passes = [entry for entry in replay(record) if isinstance(entry, ReplayedPass)]
    assert [entry.colour for entry in passes] == [0, 1, 0]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("(\n;PB[Ann])", 2, 1, "GM is missing"),
        ("(;GM[Blokus Trigon])", 1, 6, "'Blokus Trigon' is not a game known here"),
        ("(;GM[Blokus]CLGAME[duo])", 1, 20, "duo cannot be a game of 'Blokus'"),
        ("(;GM[Blokus]CLGAME[x])", 1, 20, "there is no game 'x'"),
        ("(;GM[Blokus]CLSHARED[2])", 1, 22, "cannot be the shared colour"),
        ("(;GM[Blokus Three-Player]CLSHARED[9])", 1, 35, "'9' cannot be"),
        ("(;GM[Blokus Duo]CLCOLORS[red])", 1, 26, "Duo has 2 colours"),
        ("(;GM[Blokus Duo]CLCOLORS[red][pink])", 1, 31, "'pink' is no colour"),
        ("(;GM[Blokus Duo]CLSCORING[x])", 1, 27, "basic or advanced"),
        ("(;GM[Blokus Duo]\n;B[hello])", 2, 4, "B: 'hello' is not a square"),
        ("(;GM[Blokus Duo]\n;B[])", 2, 4, "'' is not a square"),
        ("(;GM[Blokus Duo]\n;3[e10])", 2, 4, "3: '3' is no colour of Duo"),
        ("(;GM[Blokus]\n;B[a20])", 2, 4, "B: 'B' is no colour of Classic"),
        ("(;GM[Blokus Duo]\n;B[e10,e10])", 2, 4, "e10 is named twice"),
        ("(;GM[Blokus Duo]\n;B[e10]W[j5])", 2, 1, "two moves"),
        ("(;GM[Blokus Duo]AB[e10,g10])", 1, 20, "AB: 'e10,g10' is not one of the 21 pieces"),
        ("(;GM[Blokus Duo]AB[e10]AW[e10])", 1, 2, "the squares are not free"),
        ("(;GM[Blokus Duo]AB[e10]A3[a1])", 1, 27, "A3: '3' is no colour of Duo"),
        ("(;GM[Blokus Duo];CLATTEMPT[e10])", 1, 28, "'e10' is no colour of Duo"),
        ("(;GM[Blokus Duo];CLMOVE[B])", 1, 25, "'' is not a square"),
    ],
)
def test_a_broken_record_is_refused_with_line_and_column(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        list(replay(Record.read(text.encode())))
    assert (caught.value.line, caught.value.column) == (line, column)


def test_bytes_that_are_no_utf_8_are_latin_1_the_default_of_the_format() -> None:
    record = Record.read("(;GM[Blokus Duo]PB[Ren\xe9];B[e10])".encode("latin-1"))
    assert record.names == ("Ren\xe9", "")
    assert [str(ply.move) for ply in plies(record)] == ["e10"]


def test_a_byte_order_mark_and_windows_line_ends_are_skipped() -> None:
    record = Record.read(b"\xef\xbb\xbf(;GM[Blokus Duo]PB[Ada]\r\n;B[e10]\r\n)\r\n")
    assert (record.names[0], len(list(record.steps()))) == ("Ada", 1)


def test_attempts_know_their_node(tmp_path: Path) -> None:
    record = duo(";B[e10]CLATTEMPT[W:a1][W:b1,c1]")
    attempts = [step for step in record.steps() if isinstance(step, AttemptedMove)]
    assert [len(step.squares) for step in attempts] == [1, 2]
    assert all(step.node is record.root.children[0] for step in attempts)


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_record_is_read_or_refused_but_never_a_crash(data: st.DataObject) -> None:
    damaged = bytearray(PENTOBI_FILE)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(damaged)))
        end = at + data.draw(st.integers(0, 8))
        damaged[at:end] = data.draw(st.binary(max_size=4) | st.sampled_from([b"[", b"]", b"(;"]))
    try:
        list(replay(Record.read(bytes(damaged))))
    except RulesError as error:
        assert "\n" not in str(error)  # noqa: PT017  either outcome is right


def test_a_file_that_is_larger_than_any_record_is_refused() -> None:
    with pytest.raises(RecordError, match="larger than 1 MB"):
        Record.read(PENTOBI_FILE + b" " * 1_000_000)


@pytest.mark.parametrize("step", [";B[e8,d9,e9,f9,e10]", ";AB[a1,a2];AE[a1,a2]", ";PL[W]"])
def test_a_game_that_is_longer_than_any_is_not_played_through(step: str) -> None:
    begun = time.process_time()
    with pytest.raises(RecordError, match="more than 1000 moves and settings") as caught:
        for _ in replay(duo(step * 8000)):
            pass
    assert caught.value.line == 1
    assert time.process_time() - begun < 6.0
