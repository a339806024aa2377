"""The file format: content is preserved, and errors name line and column."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.records.sgf import Node, Property, parse, serialise
from firmware.rules.errors import RecordError

texts = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=12)
identifiers = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ1234", min_size=1, max_size=6)
properties = st.builds(Property, identifiers, st.lists(texts, min_size=1, max_size=3))
nodes = st.builds(Node, st.lists(properties, max_size=3))


@st.composite
def trees(draw: st.DrawFn) -> Node:
    root = draw(nodes)
    grown = [root]
    for node in draw(st.lists(nodes, max_size=8)):
        draw(st.sampled_from(grown)).children.append(node)
        grown.append(node)
    return root


@settings(max_examples=200)
@given(trees())
def test_a_tree_goes_through_its_file(root: Node) -> None:
    assert parse(serialise(root)) == root


def test_a_file_is_a_tree_of_nodes_with_properties() -> None:
    root = parse("(;GM[Blokus Duo]PB[Ann](;B[a1];W[b2])(;B[c3]))")
    assert root.text("GM") == "Blokus Duo"
    assert [child.text("B") for child in root.children] == ["a1", "c3"]
    assert [node.properties[0].identifier for node in root.main_line()] == ["GM", "B", "W"]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"a\]b", "a]b"), (r"a\\", "a\\"), (r"\:", ":"), ("a\\\nb", "ab"), ("a\nb", "a\nb"),
        ("a\r\nb", "a\nb"), ("a\rb", "a\nb"), ("a\\\r\nb", "ab"), ("", ""), ("[(;", "[(;"),
    ],
)  # fmt: skip
def test_escapes_and_line_ends_in_text(raw: str, text: str) -> None:
    assert parse(f"(;C[{raw}])").text("C") == text


def test_white_space_between_anything_is_let_be() -> None:
    spaced = "\ufeff\n ( ;\tGM [Blokus Duo]\n PB\n[Ann] [Bea]\v(; B[a1] )\f) \n\n"
    assert serialise(parse(spaced)) == "(\n;GM[Blokus Duo]PB[Ann][Bea]\n;B[a1]\n)\n"


def test_what_follows_the_tree_is_let_be() -> None:
    assert parse("(;GM[Blokus])) and more").text("GM") == "Blokus"


def test_of_a_property_that_stands_twice_the_last_counts_and_both_are_stored() -> None:
    root = parse("(;C[one]C[two])")
    assert root.text("C") == "two"
    assert serialise(root) == "(\n;C[one]C[two]\n)\n"


def test_no_file_is_nested_too_deeply() -> None:
    deep = "(;" * 20_000 + ")" * 20_000
    assert serialise(parse(deep)).count(";") == 20_000


@pytest.mark.parametrize(
    "text",
    [
        "(;" * 300_000 + ")" * 300_000,
        "(" * 300_000 + ";" + ")" * 300_000,
        "(" + ";" * 300_000 + ")",
        "(;" + "A[]" * 300_000 + ")",
        "(;A" + "[]" * 300_000 + ")",
    ],
    ids=["variations", "brackets", "nodes", "properties", "values"],
)
def test_a_file_of_more_than_any_game_has_is_refused_before_it_is_read_on(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(RecordError, match="more than 50,000 nodes"):
        parse(text)
    assert time.process_time() - begun < 3.0


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, r"begins with '\('"),
        ("GM[Blokus]", 1, 1, r"begins with '\('"),
        ("\n\n  x", 3, 3, r"begins with '\('"),
        ("(;GM[Blokus]", 1, 1, "never closed; the file ends too early"),
        ("(;GM[Blokus]\n(;B[a1]", 2, 1, "never closed"),
        ("(;GM[Blokus]\n;B[a1)\n", 2, 3, r"'\[' is never closed"),
        ("(;GM[a[b]]])", 1, 10, "a name and a value"),
        ("(;GM)", 1, 3, "a name and a value"),
        ("(;GM[Blokus];B)", 1, 14, "a name and a value"),
        ("(;GM[Blokus]é[x])", 1, 13, "a name and a value"),
        ("()", 1, 1, "the record is empty"),
        ("(((\n)))", 1, 1, "the record is empty"),
        ("(;a[]\n)(;b[])", 2, 2, "a second one begins"),
        ("((;A[1])\n(;B[2]))", 2, 2, "a record has one root"),
        ("(x)", 1, 2, "'x' is neither"),
    ],
)
def test_a_broken_file_is_refused_with_line_and_column(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"line {line}, column {column}: ")
    assert "\n" not in str(caught.value)


def test_values_know_where_they_stand() -> None:
    root = parse("(;GM[Blokus]\n;B[a1]\n  [b2])")
    item = root.children[0].property("B")
    assert item is not None
    assert item.place == [(2, 4), (3, 4)]


def test_setting_a_property_replaces_adds_or_removes_it() -> None:
    node = parse("(;A[1]B[2])")
    node.set("A", "3")
    node.set("C", "4", "5")
    node.set("B")
    node.set("Z")
    assert serialise(node) == "(\n;A[3]C[4][5]\n)\n"
