"""Names of topics, there and back."""

import pytest

from firmware.hall.link.topics import (
    HallTopics,
    TableTopic,
    is_hall_id,
    table_number,
    table_text,
)

HALL = HallTopics("spring-open")
ROOT = "cornerlight/1/spring-open"


def test_topics_of_a_table_are_under_its_number() -> None:
    assert HALL.table("07", TableTopic.STATUS) == f"{ROOT}/table/07/status"
    assert HALL.seat("07") == f"{ROOT}/seat/07"


def test_topics_of_the_hall() -> None:
    assert HALL.hall_status == f"{ROOT}/hall/status"
    assert HALL.clock == f"{ROOT}/round/clock"
    assert HALL.show("board/7") == f"{ROOT}/show/board/7"
    assert HALL.all_shown == f"{ROOT}/show/#"
    assert HALL.all_of_tables == f"{ROOT}/table/+/#"


@pytest.mark.parametrize("topic", TableTopic)
def test_a_topic_of_a_table_is_parsed_back(topic: TableTopic) -> None:
    assert HALL.parse_table(HALL.table("12", topic)) == (12, topic)


@pytest.mark.parametrize(
    "topic",
    [
        f"{ROOT}/seat/07",
        f"{ROOT}/table/07",
        f"{ROOT}/table/07/",
        f"{ROOT}/table/7/status",
        f"{ROOT}/table/007/status",
        f"{ROOT}/table/00/status",
        f"{ROOT}/table/+/status",
        f"{ROOT}/table/07/status/more",
        f"{ROOT}/table/07/status/",
        f"{ROOT}/table/07/record/duo-1",
        f"{ROOT}/table/07/camera",
        f"{ROOT}/table/٠٧/status",
        "cornerlight/1/other/table/07/status",
        "cornerlight/2/spring-open/table/07/status",
        "",
    ],
)
def test_any_other_topic_is_of_no_table(topic: str) -> None:
    assert HALL.parse_table(topic) is None


@pytest.mark.parametrize("hall", ["", "a/b", "a+b", "#", "Hall", "a" * 41, "-a", "a\n", "é"])
def test_an_id_that_would_change_the_topic_is_no_hall(hall: str) -> None:
    assert not is_hall_id(hall)
    with pytest.raises(ValueError, match="a hall has an id"):
        HallTopics(hall)


@pytest.mark.parametrize("table", ["", "+", "#", "7", "007", "1000", "07/08", "aa", "٠٧", "07\n"])
def test_a_text_that_is_no_table_gives_no_topic(table: str) -> None:
    with pytest.raises(ValueError, match="a table has a number"):
        HALL.table(table, TableTopic.STATUS)
    with pytest.raises(ValueError, match="a table has a number"):
        HALL.seat(table)


def test_numbers_of_tables_there_and_back() -> None:
    assert [table_text(number) for number in (1, 7, 50, 999)] == ["01", "07", "50", "999"]
    assert all(table_number(table_text(number)) == number for number in range(1, 1000))
    for number in (0, -1, 1000):
        with pytest.raises(ValueError, match="from 1 to 999"):
            table_text(number)
