from firmware.hall.lists import ListColumn, PrintedList, list_file
from firmware.printing.paper import PAPERS
from tests.support.printed_pages import texts
from web.i18n.wording import Wording


def test_lists_have_pages_of_their_own_and_rows_go_on() -> None:
    columns = (ListColumn("a", 1), ListColumn("b", 1, is_number=True, is_blank=True))
    long = PrintedList("long", "event", columns, tuple((f"row {k}", "") for k in range(70)))
    short = PrintedList("short", "event", columns, ())
    pages = texts(list_file((long, short), PAPERS["a4"], Wording(), "en"))
    rows = [page.count("row ") for page in pages]
    assert sum(rows) == 70
    assert rows[-1] == 0
    assert "Page" not in pages[-1]


def test_a_list_made_again_is_equal() -> None:
    one = PrintedList("list", "event", (ListColumn("a", 1),), (("x",),))
    first, again = (list_file((one,), PAPERS["a4"], Wording(), "en") for _ in range(2))
    assert first == again
