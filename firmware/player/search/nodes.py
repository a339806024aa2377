"""The nodes of a search tree as arrays; the children of a node have consecutive indices.

Children come after their parent, so pruning a tree moves the retained nodes to the front.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.player.search.jit import compiled, inlined
from firmware.player.search.tables import Floats, Ints

UNSEEN: Final = -1
"""Value of `FIRST` of a node without children."""

OVER: Final = -2
"""Value of `FIRST` of a node at which the game is over."""

DEEPEST: Final = 128
"""Moves of the longest path."""

_FULL: Final = 0.9
"""Share of used nodes above which a tree is thinned."""


VISITS: Final = 0
"""Column of `stat`: number of simulations through the node."""

RESULT: Final = 1
"""Column of `stat`: sum of their results for the side that makes the move, 0 to 1 each."""

MARGIN: Final = 2
"""Column of `stat`: sum of their margins in points, for that side."""

SHARED_VISITS: Final = 3
"""Column of `stat`: sum of weights of simulations in which the move was made later."""

SHARED_RESULT: Final = 4
"""Column of `stat`: sum of the results of these, times their weights."""

WINS: Final = 5
"""Column of `stat`: sum of the shares of other sides beaten, 0 to 1 each, equal ones half."""

PRIOR: Final = 6
"""Column of `stat`: probability of the move by the network; 1 in sum over siblings."""

GUESS: Final = 7
"""Column of `stat`: first guess of the value, relative to the parent's; 1 for the best prior."""

STATS: Final = 8
"""Number of columns of `stat`."""

MOVE: Final = 0
"""Column of `link`: the placement that leads to the node, -1 at the root."""

FIRST: Final = 1
"""Column of `link`: index of the first child, or `UNSEEN` or `OVER`."""

CHILDREN: Final = 2
"""Column of `link`: number of children."""

COLOUR: Final = 3
"""Column of `link`: the colour that makes the moves of the children."""

LINKS: Final = 4
"""Number of columns of `link`."""

NODE_BYTES: Final = 4 * (STATS + LINKS + 1)
"""Bytes of a node: four for each column, and as many in `moved`."""


class Tree(NamedTuple):
    """Nodes, and buffers of one search.

    Attributes:
        stat: (nodes, 8) see the columns above; results are sums.
        link: (nodes, 4) the move, index of the first child (-1 none yet, -2 the game is over),
            number of children, and the colour that makes their moves.
        moved: (nodes,) buffer of `keep_subtree`.
        used: (1,) number of used nodes.
        path: (128,) nodes of a simulation, from the root to the leaf.
        seen: (colours, placements) 1 more than the turn at which a simulation made each move.
        verdict: (4, sides) see `judge`.
    """

    stat: Floats
    link: Ints
    moved: Ints
    used: Ints
    path: Ints
    seen: NDArray[np.uint8]
    verdict: Floats


def new_tree(nodes: int, colours: int, placements: int, sides: int) -> Tree:
    """An empty tree for at most `nodes` nodes."""
    tree = Tree(
        np.zeros((nodes, STATS), np.float32),
        np.zeros((nodes, LINKS), np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(1, np.int32),
        np.zeros(DEEPEST, np.int32),
        np.zeros((colours, placements), np.uint8),
        np.zeros((4, sides), np.float32),
    )
    plant(tree)
    return tree


def plant(tree: Tree) -> None:
    """Resets a tree to a root without results."""
    tree.used[0] = 1
    tree.stat[0] = 0
    tree.link[0] = (-1, UNSEEN, 0, -1)


def keep_only(tree: Tree, placements: frozenset[int]) -> None:
    """Removes the other children of the root, which was grown and has no results yet.

    Args:
        tree: the tree.
        placements: the moves to keep; at least one of them is a child.
    """
    first, count = int(tree.link[0, FIRST]), int(tree.link[0, CHILDREN])
    remaining = [n for n in range(first, first + count) if int(tree.link[n, MOVE]) in placements]
    last = first + len(remaining)
    tree.stat[first:last] = tree.stat[remaining]
    tree.link[first:last] = tree.link[remaining]
    tree.stat[first:last, PRIOR] /= tree.stat[first:last, PRIOR].sum()
    tree.link[0, CHILDREN] = len(remaining)
    tree.used[0] = last


def make_equal(tree: Tree) -> None:
    """Makes the children of the root, which have no results yet, equal before the search."""
    first, count = int(tree.link[0, FIRST]), int(tree.link[0, CHILDREN])
    tree.stat[first : first + count, GUESS] = 1
    tree.stat[first : first + count, PRIOR] = 1 / count


@compiled
def keep_subtree(tree: Tree, child: int, least: float) -> None:
    """Makes a node the root, and frees all nodes that are not below it.

    The children of a node are consecutive and after it, so retained nodes only move to the front
    and keep their order.

    Args:
        tree: the tree.
        child: the node.
        least: visits from which on a node retains its children; the root always does.
    """
    moved, link = tree.moved, tree.link
    used = tree.used[0]
    for node in range(used):
        moved[node] = -1
    moved[child] = 0
    retained = 0
    for node in range(child, used):
        if moved[node] >= 0:
            moved[node] = retained
            retained += 1
            first = link[node, FIRST]
            if first >= 0 and node != child and tree.stat[node, VISITS] < least:
                link[node, FIRST] = UNSEEN
                link[node, CHILDREN] = 0
            for below in range(first, first + link[node, CHILDREN]):
                moved[below] = 0
    for node in range(child, used):
        if moved[node] >= 0:
            _move_node(tree, node, moved[node])
    tree.used[0] = retained


@compiled
def thin(tree: Tree) -> None:
    """Frees at least half of the nodes once the tree is nearly full.

    Removes the children of the nodes with the fewest visits; they grow again on further visits.
    """
    if tree.used[0] < _FULL * len(tree.stat):
        return
    least = 1.0
    retained = tree.used[0]
    while 2 * retained > len(tree.stat):
        least *= 2
        retained = 0
        for node in range(1, tree.used[0]):
            if tree.stat[node, VISITS] >= least:
                retained += tree.link[node, CHILDREN]
    keep_subtree(tree, 0, least)


@inlined
def _move_node(tree: Tree, node: int, target: int) -> None:
    stat, link = tree.stat, tree.link
    for column in range(STATS):
        stat[target, column] = stat[node, column]
    for column in range(LINKS):
        link[target, column] = link[node, column]
    if link[target, FIRST] >= 0:
        link[target, FIRST] = tree.moved[link[target, FIRST]]
