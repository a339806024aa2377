"""Pairing: a right number once, any number of wrong ones, tokens stored as fingerprints."""

import json
from pathlib import Path

import pytest

from firmware.commands.main import main
from firmware.session import pairing as pairing_module
from firmware.session.pairing import MOST_PHONES, NUMBER_LIVES_S, Pairing, grouped
from web.contract import PairedPhones


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "paired.json"


def other_than(number: str) -> str:
    return f"{(int(number) + 1) % 10 ** len(number):0{len(number)}}"


def paired(pairing: Pairing, now: float = 0.0) -> str:
    token = pairing.verify_code(pairing.issue_code(now), now)
    assert token
    return token


def test_a_number_pairs_one_phone_once(path: Path) -> None:
    pairing = Pairing(path)
    number = pairing.issue_code(0.0)
    token = pairing.verify_code(number, 1.0)
    assert pairing.knows(token)
    assert pairing.verify_code(number, 2.0) == ""
    assert not pairing.knows("")
    assert not pairing.knows(token + "x")


def test_without_a_number_none_is_right(path: Path) -> None:
    assert Pairing(path).verify_code("0" * 12, 0.0) == ""


def test_a_number_lives_for_a_while_and_only_until_the_next(path: Path) -> None:
    pairing = Pairing(path)
    number = pairing.issue_code(0.0)
    assert pairing.verify_code(number, NUMBER_LIVES_S + 1) == ""
    first = pairing.issue_code(1000.0)
    second = pairing.issue_code(1000.0)
    assert first == second or pairing.verify_code(first, 1100.0) == ""


@pytest.mark.parametrize("draw", [Pairing.issue_code, Pairing.issue_short_code])
def test_no_wrong_number_keeps_out_the_right_one(path: Path, draw: object) -> None:
    pairing = Pairing(path)
    number = draw(pairing, 0.0)  # type: ignore[operator]
    for n in range(300):
        assert pairing.verify_code(other_than(number), n / 10) == ""
    assert pairing.verify_code(number, 30.0)


def test_one_wrong_number_every_five_minutes_keeps_nobody_out(path: Path) -> None:
    pairing = Pairing(path)
    taken = 0
    for minute in range(24 * 60):
        if minute % 5 == 0:
            pairing.verify_code("0" * 12, 60.0 * minute)
        if minute % 60 == 30:
            taken += bool(pairing.verify_code(pairing.issue_code(60.0 * minute), 60.0 * minute + 5))
    assert taken == 24


def test_both_numbers_are_long_and_pair_beside_each_other(path: Path) -> None:
    pairing = Pairing(path)
    drawn, lit = pairing.issue_code(0.0), pairing.issue_short_code(0.0)
    assert (len(drawn), len(lit)) == (12, 12)
    assert grouped(drawn).split() == [drawn[:4], drawn[4:8], drawn[8:]]
    assert pairing.verify_code(lit, 1.0)
    assert pairing.verify_code(lit, 1.0) == "", "it pairs one phone"
    assert pairing.verify_code(drawn, 2.0)


def test_another_number_in_the_lights_leaves_the_one_by_command(path: Path) -> None:
    pairing = Pairing(path)
    drawn = Pairing(path).issue_code(0.0)
    pairing.issue_short_code(0.0)
    pairing.issue_short_code(1.0)
    assert pairing.verify_code(drawn, 2.0)


def test_what_is_reported_of_phones_and_numbers_is_what_is_good_now(path: Path) -> None:
    pairing = Pairing(path)
    assert pairing.phones(0.0) == PairedPhones()
    token = paired(pairing)
    number = pairing.issue_code(0.0)
    phones = pairing.phones(1.0)
    assert phones.knows(token)
    assert not phones.knows(token + "x")
    assert phones.takes(number)
    assert not phones.takes(other_than(number))
    assert token not in phones.to_json()
    assert number not in phones.to_json()
    assert not pairing.phones(NUMBER_LIVES_S + 1).takes(number)
    pairing.verify_code(number, 2.0)
    assert not pairing.phones(2.0).takes(number)


def test_one_phone_is_forgotten_and_the_others_are_not(path: Path) -> None:
    pairing = Pairing(path)
    tokens = [paired(pairing) for _ in range(3)]
    number = pairing.issue_code(0.0)
    pairing.unpair(tokens[1])
    assert [pairing.knows(token) for token in tokens] == [True, False, True]
    assert pairing.verify_code(number, 1.0), "nor is a number that was drawn"


def test_a_number_of_another_boot_is_worth_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = Pairing(path).issue_code(0.0)
    monkeypatch.setattr(pairing_module, "_boot", lambda: "another")
    assert Pairing(path).verify_code(number, 0.0) == ""
    assert not Pairing(path).phones(0.0).takes(number)


def test_phones_stay_paired_over_a_restart_until_they_are_forgotten(path: Path) -> None:
    token = paired(Pairing(path))
    assert Pairing(path).knows(token)
    Pairing(path).forget()
    assert not Pairing(path).knows(token)


def test_the_file_holds_no_token_and_no_number_and_is_for_its_owner_alone(path: Path) -> None:
    pairing = Pairing(path)
    token, number = paired(pairing), pairing.issue_code(0.0)
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


@pytest.mark.parametrize(
    "text", ["", "[]", '{"phones": 7}', '{"phones": ["x"]}', '{"offered": {"salt": 1}}']
)
def test_a_file_that_is_damaged_pairs_nobody(path: Path, text: str) -> None:
    path.write_text(text)
    pairing = Pairing(path)
    assert not pairing.knows("")
    assert pairing.verify_code("1" * 12, 0.0) == ""
    assert pairing.phones(0.0) == PairedPhones()
    assert pairing.knows(paired(pairing, 10.0))


def test_a_disk_that_refuses_keeps_nobody_from_speaking_as_arbiter(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "none"
    pairing = Pairing(folder / "paired.json")
    first = paired(pairing)
    second = paired(pairing)
    assert pairing.knows(first)
    assert pairing.knows(second)
    assert "cannot remember paired phones in" in pairing.trouble
    assert caplog.text.count("cannot remember") == 1
    folder.mkdir()
    assert pairing.knows(first), "and the disk is asked again"
    assert pairing.trouble == ""
    assert Pairing(folder / "paired.json").knows(second)


def test_a_number_that_the_table_cannot_learn_of_is_not_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "paired.json").mkdir()
    for words in ([], ["--forget"]):
        assert main(["pair", "--folder", str(tmp_path), *words]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert "cannot remember paired phones in" in output.err


def test_the_verb_draws_a_number_that_the_table_takes(
    tmp_path: Path, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pair", "--folder", str(tmp_path), "--json"]) == 0
    drawn = json.loads(capsys.readouterr().out)
    offered = json.loads(path.read_text())["offered"]
    token = Pairing(path).verify_code(drawn["number"], offered["until"] - 1)
    assert token
    assert main(["pair", "--folder", str(tmp_path), "--forget"]) == 0
    assert not Pairing(path).knows(token)
    assert main(["pair", "--folder", str(tmp_path / "none")]) == 2
    assert "name its folder with --folder" in capsys.readouterr().err


def test_a_phone_at_the_table_is_paired_without_a_number(path: Path) -> None:
    pairing = Pairing(path)
    number = pairing.issue_code(0.0)
    token = pairing.pair()
    assert Pairing(path).knows(token)
    assert token not in path.read_text()
    assert pairing.knows(pairing.verify_code(number, 1.0)), "a drawn number stays valid"
    assert pairing.knows(token)


def test_phones_paired_without_a_number_replace_the_oldest(path: Path) -> None:
    pairing = Pairing(path)
    first, *others = [pairing.pair() for _ in range(MOST_PHONES + 1)]
    assert not pairing.knows(first)
    assert all(map(pairing.knows, others))


def test_a_number_makes_one_phone_the_camera_and_pairs_none(path: Path) -> None:
    pairing = Pairing(path)
    number = pairing.issue_camera_code(0.0)
    assert pairing.verify_code(number, 1.0) == ""
    token = pairing.verify_camera_code(number, 1.0)
    phones = pairing.phones(1.0)
    assert phones.is_camera(token)
    assert not phones.is_camera("")
    assert not phones.knows(token)
    assert pairing.verify_camera_code(number, 2.0) == ""
    assert token not in path.read_text()


def test_another_phone_is_the_camera_by_a_new_number_alone(path: Path) -> None:
    pairing = Pairing(path)
    first = pairing.verify_camera_code(pairing.issue_camera_code(0.0), 0.0)
    assert pairing.verify_camera_code(pairing.issue_code(0.0), 0.0) == ""
    assert pairing.phones(0.0).is_camera(first)
    second = pairing.verify_camera_code(pairing.issue_camera_code(1.0), 1.0)
    assert pairing.phones(1.0).is_camera(second)
    assert not pairing.phones(1.0).is_camera(first)
    assert Pairing(path).phones(2.0).is_camera(second)


def test_a_camera_number_lives_as_long_as_others(path: Path) -> None:
    pairing = Pairing(path)
    number = pairing.issue_camera_code(0.0)
    assert pairing.phones(NUMBER_LIVES_S).takes(number)
    assert pairing.verify_camera_code(number, NUMBER_LIVES_S + 1) == ""
