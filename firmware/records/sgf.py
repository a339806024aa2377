"""Smart Game Format, FF[4] (red-bean.com/sgf), as Pentobi writes and reads it.

A file is a tree of nodes, each a list of properties with one or more values. Properties are not
interpreted; all are preserved, in their order. Text is UTF-8. Reading and writing work without
recursion, so the depth of a tree is not limited; the number of its parts is.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from firmware.rules.errors import RecordError

LARGEST: Final = 1_000_000
"""Bytes of the largest file. A refereed game has 3,000 to 20,000, one with every variation of an
opening book 160,000."""

_MOST_PARTS: Final = 50_000
"""Limit of nodes, variations, properties and values of a file; they are read in half a second."""

_SPACE: Final = " \t\n\v\f\r"
"""White space between the parts of a file."""

_VALUE: Final = re.compile(r"\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
"""A value in brackets, with escapes."""

_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9_\s]+(?=\[)", re.ASCII)
"""The identifier of a property, up to its first value."""

_ESCAPED: Final = re.compile(r"\\(\n|.)", re.DOTALL)
"""An escaped character, or a soft line break."""


@dataclass(slots=True)
class Property:
    """One property of a node.

    Attributes:
        identifier: for example `GM` or `B`; capital letters and digits.
        values: at least one text, without escapes.
        place: (line, column) of each value in the file, from 1; empty if not read from a file.
    """

    identifier: str
    values: list[str]
    place: list[tuple[int, int]] = field(default_factory=list, compare=False)


@dataclass(slots=True)
class Node:
    """A node of the tree.

    Attributes:
        properties: the properties in the order of the file.
        children: the main line first, then the variations.
        place: (line, column) of its `;` in the file, from 1.
    """

    properties: list[Property] = field(default_factory=list)
    children: list["Node"] = field(default_factory=list)
    place: tuple[int, int] = field(default=(1, 1), compare=False)

    def property(self, identifier: str) -> Property | None:
        """The property of that name, or None; the last one if there are several, as in Pentobi."""
        found = (item for item in reversed(self.properties) if item.identifier == identifier)
        return next(found, None)

    def values(self, identifier: str) -> list[str]:
        """The values of a property; empty if the node lacks it."""
        found = self.property(identifier)
        return found.values if found else []

    def text(self, identifier: str) -> str | None:
        """The first value of a property, or None."""
        return next(iter(self.values(identifier)), None)

    def set(self, identifier: str, *values: str) -> None:
        """Sets, replaces or (without values) removes a property."""
        found = self.property(identifier)
        if not values:
            self.properties = [p for p in self.properties if p.identifier != identifier]
        elif found:
            found.values, found.place = list(values), []
        else:
            self.properties.append(Property(identifier, list(values)))

    def main_line(self) -> Iterator["Node"]:
        """This node, its first child, that one's first child, and so on."""
        node = self
        while True:
            yield node
            if not node.children:
                return
            node = node.children[0]


def parse(text: str) -> Node:
    """The root of the tree in a file.

    As in Pentobi, line ends of every kind are equal, a property may occur twice, and text after
    the tree is ignored, except that a second tree is refused.

    Raises:
        RecordError: it is not a tree of nodes.
    """
    return _Parser(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")).tree()


def serialise(root: Node) -> str:
    """The text of a tree, one line for each node."""
    lines: list[str] = ["("]
    stack: list[Node | str] = [")", root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        lines.append(";" + "".join(map(_property_text, item.properties)))
        if len(item.children) == 1:
            stack.append(item.children[0])
        else:
            for child in reversed(item.children):
                stack += [")", child, "("]
    return "\n".join(lines) + "\n"


def _property_text(item: Property) -> str:
    values = (value.replace("\\", "\\\\").replace("]", "\\]") for value in item.values)
    return item.identifier + "".join(f"[{value}]" for value in values)


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.parts = 0
        self.line_ends = [match.start() for match in re.finditer("\n", text)]

    def tree(self) -> Node:
        if self._next() != "(":
            raise self._error("a record begins with '('", self.at)
        holder = Node()
        open_trees: list[tuple[int, Node]] = []
        last = holder
        while True:
            mark = self._next()
            if mark == "(":
                self._count()
                open_trees.append((self.at, last))
                self.at += 1
            elif mark == ";":
                if last is holder and holder.children:
                    raise self._error("a record has one root; this is a second one", self.at)
                last = self._node(last)
            elif mark == ")":
                begun, last = open_trees.pop()
                self.at += 1
                if not open_trees:
                    return self._only(holder, begun)
            elif mark:
                raise self._error(f"{mark!r} is neither a node, a variation nor the end", self.at)
            else:
                begun, _ = open_trees[-1]
                raise self._error("this '(' is never closed; the file ends too early", begun)

    def _only(self, holder: Node, begun: int) -> Node:
        if not holder.children:
            raise self._error("the record is empty: no ';' follows this '('", begun)
        if self._next() == "(":
            raise self._error("a record has one game; a second one begins here", self.at)
        return holder.children[0]

    def _count(self) -> None:
        self.parts += 1
        if self.parts > _MOST_PARTS:
            raise self._error(
                f"the record has more than {_MOST_PARTS:,} nodes, variations, properties and "
                "values together, which no game has",
                self.at,
            )

    def _node(self, parent: Node) -> Node:
        self._count()
        node = Node(place=self._place(self.at))
        parent.children.append(node)
        self.at += 1
        while self._next() not in ("", "(", ")", ";"):
            node.properties.append(self._property())
        return node

    def _property(self) -> Property:
        match = _IDENTIFIER.match(self.text, self.at)
        if match is None:
            raise self._error("a property is a name and a value in '[...]'", self.at)
        self._count()
        item = Property("".join(match[0].split()), [])
        self.at = match.end()
        while self._next() == "[":
            value = _VALUE.match(self.text, self.at)
            if value is None:
                raise self._error(
                    "this '[' is never closed; escape a ']' in text as '\\]'", self.at
                )
            self._count()
            item.place.append(self._place(self.at + 1))
            item.values.append(_ESCAPED.sub(_unescaped, value[1]))
            self.at = value.end()
        return item

    def _next(self) -> str:
        text, at = self.text, self.at
        while at < len(text) and text[at] in _SPACE:
            at += 1
        self.at = at
        return text[at : at + 1]

    def _place(self, at: int) -> tuple[int, int]:
        line = bisect_left(self.line_ends, at)
        begin = self.line_ends[line - 1] + 1 if line else 0
        return line + 1, at - begin + 1

    def _error(self, message: str, at: int) -> RecordError:
        return RecordError(message, *self._place(at))


def _unescaped(match: re.Match[str]) -> str:
    # A backslash before a line end is a soft line break, which is not part of the text.
    return "" if match[1] == "\n" else match[1]
