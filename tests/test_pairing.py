"""Pairing: the right number once, wrong ones ever slower, tokens that nobody can read back."""

import json
from pathlib import Path

import pytest

from firmware import pairing as pairing_module
from firmware.cli import main
from firmware.errors import UnreadableError
from firmware.pairing import (
    MOST_PHONES,
    MOST_WRONG,
    NUMBER_LIVES_S,
    Paired,
    Pairing,
    Wait,
    Wrong,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "paired.json"


def other_than(number: str) -> str:
    return f"{(int(number) + 1) % 10 ** len(number):0{len(number)}}"


def paired(pairing: Pairing, now: float = 0.0) -> str:
    said = pairing.attempt(pairing.offer(now), now)
    assert isinstance(said, Paired)
    return said.token


def test_a_number_pairs_one_phone_once(path: Path) -> None:
    pairing = Pairing(path)
    number = pairing.offer(0.0)
    said = pairing.attempt(number, 1.0)
    assert isinstance(said, Paired)
    assert pairing.knows(said.token)
    assert isinstance(pairing.attempt(number, 2.0), Wrong)
    assert not pairing.knows("")
    assert not pairing.knows(said.token + "x")


def test_without_a_number_none_is_right(path: Path) -> None:
    assert isinstance(Pairing(path).attempt("000000", 0.0), Wrong)


def test_a_number_lives_for_a_while_and_only_until_the_next(path: Path) -> None:
    pairing = Pairing(path)
    number = pairing.offer(0.0)
    assert isinstance(pairing.attempt(number, NUMBER_LIVES_S + 1), Wrong)
    first = pairing.offer(1000.0)
    second = pairing.offer(1000.0)
    assert first == second or isinstance(pairing.attempt(first, 1100.0), Wrong)


def test_wrong_numbers_cost_ever_more_time_and_then_the_right_one(path: Path) -> None:
    pairing = Pairing(path)
    number = pairing.show(0.0)
    now, waits = 0.0, []
    for _ in range(MOST_WRONG):
        assert isinstance(pairing.attempt(other_than(number), now), Wrong)
        said = pairing.attempt(number, now)
        assert isinstance(said, Wait), "even the right one is not looked at"
        waits.append(said.seconds)
        now += said.seconds
    assert waits == [1, 2, 4, 8, 16]
    assert isinstance(pairing.attempt(number, now), Wrong)


def test_nothing_that_an_unpaired_phone_does_voids_a_number_drawn_by_command(path: Path) -> None:
    table = Pairing(path)
    number = Pairing(path).offer(0.0)
    shown = table.show(1.0)
    now = 1.0
    for _ in range(MOST_WRONG):
        assert isinstance(table.attempt(other_than(shown), now), Wrong)
        said = table.attempt(number, now)
        assert isinstance(said, Wait)
        now += said.seconds
    assert table.show(now) != number
    assert isinstance(table.attempt(number, now), Paired)
    assert isinstance(table.attempt(number, now), Wrong), "it pairs one phone"


def test_a_number_of_the_lights_pairs_beside_one_by_command(path: Path) -> None:
    pairing = Pairing(path)
    drawn, shown = pairing.offer(0.0), pairing.show(0.0)
    assert (len(drawn), len(shown)) == (6, 4)
    assert isinstance(pairing.attempt(shown, 1.0), Paired)
    assert isinstance(pairing.attempt(drawn, 2.0), Paired)


def test_a_number_of_another_boot_is_worth_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = Pairing(path).offer(0.0)
    monkeypatch.setattr(pairing_module, "_boot", lambda: "another")
    assert isinstance(Pairing(path).attempt(number, 0.0), Wrong)


def test_phones_stay_paired_over_a_restart_until_they_are_forgotten(path: Path) -> None:
    token = paired(Pairing(path))
    assert Pairing(path).knows(token)
    Pairing(path).forget()
    assert not Pairing(path).knows(token)


def test_the_file_holds_no_token_and_no_number_and_is_for_its_owner_alone(path: Path) -> None:
    pairing = Pairing(path)
    token, number = paired(pairing), pairing.offer(0.0)
    text = path.read_text()
    assert token not in text
    assert number not in json.loads(text)["offered"].values()
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_oldest_of_too_many_phones_is_forgotten(path: Path) -> None:
    pairing = Pairing(path)
    first = paired(pairing)
    tokens = [paired(pairing) for _ in range(MOST_PHONES)]
    assert not pairing.knows(first)
    assert all(map(pairing.knows, tokens))


@pytest.mark.parametrize("text", ["", "[]", '{"phones": 7}', '{"offered": {"salt": 1}}'])
def test_a_file_that_is_damaged_pairs_nobody(path: Path, text: str) -> None:
    path.write_text(text)
    pairing = Pairing(path)
    assert not pairing.knows("")
    assert isinstance(pairing.attempt("123456", 0.0), Wrong)
    assert pairing.knows(paired(pairing, 10.0))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="cannot remember paired phones in"):
        Pairing(tmp_path / "none" / "paired.json").offer(0.0)


def test_the_verb_draws_a_number_that_the_table_takes(
    tmp_path: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pair", "--folder", str(tmp_path), "--json"]) == 0
    drawn = json.loads(capsys.readouterr().out)
    offered = json.loads(path.read_text())["offered"]
    said = Pairing(path).attempt(drawn["number"], offered["until"] - 1)
    assert isinstance(said, Paired)
    assert main(["pair", "--folder", str(tmp_path), "--forget"]) == 0
    assert not Pairing(path).knows(said.token)
    assert main(["pair", "--folder", str(tmp_path / "none")]) == 2
    assert "name its folder with --folder" in capsys.readouterr().err
