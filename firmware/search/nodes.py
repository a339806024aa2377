"""The nodes of a search tree: arrays, the children of a node side by side.

They lie behind their parent, so that a tree is pruned by moving what is kept to the front.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.search.jit import compiled, inlined
from firmware.search.tables import Floats, Ints

UNSEEN: Final = -1
OVER: Final = -2
DEEPEST: Final = 128

_FULL: Final = 0.9
"""Share of the room from which on a tree is thinned out."""


# Columns of `stat`.
VISITS: Final = 0
RESULT: Final = 1
MARGIN: Final = 2
SHARED_VISITS: Final = 3
SHARED_RESULT: Final = 4
WINS: Final = 5
PRIOR: Final = 6
GUESS: Final = 7
STATS: Final = 8

# Columns of `link`.
MOVE: Final = 0
FIRST: Final = 1
CHILDREN: Final = 2
COLOUR: Final = 3
LINKS: Final = 4

NODE_BYTES: Final = 4 * (STATS + LINKS + 1)


class Tree(NamedTuple):
    """Nodes, and room for one search.

    Attributes:
        stat: (nodes, 8) see the columns above; results are sums.
        link: (nodes, 4) the move, where the children begin (-1 none yet, -2 the game is over),
            how many there are, and the colour that makes their moves.
        moved: (nodes,) room for `keep_subtree`.
        used: (1,) nodes in use.
        path: (128,) nodes from the root to where a simulation left the tree.
        seen: (colours, placements) 1 more than the turn in which a simulation made each move.
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
    """A tree of at most so many nodes, of which nothing is known."""
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
    """Forgets everything: a root that nothing is known of."""
    tree.used[0] = 1
    tree.stat[0] = 0
    tree.link[0] = (-1, UNSEEN, 0, -1)


@compiled
def keep_subtree(tree: Tree, child: int, least: float) -> None:
    """Makes a node the root, and gives back the room of all that is not below it.

    The children of a node lie side by side and behind it, so whatever is kept only moves to the
    front, and in its order.

    Args:
        tree: the tree.
        child: the node.
        least: visits with which a node keeps its children; the root always does.
    """
    moved, link = tree.moved, tree.link
    used = tree.used[0]
    for node in range(used):
        moved[node] = -1
    moved[child] = 0
    kept = 0
    for node in range(child, used):
        if moved[node] >= 0:
            moved[node] = kept
            kept += 1
            first = link[node, FIRST]
            if first >= 0 and node != child and tree.stat[node, VISITS] < least:
                link[node, FIRST] = UNSEEN
                link[node, CHILDREN] = 0
            for below in range(first, first + link[node, CHILDREN]):
                moved[below] = 0
    for node in range(child, used):
        if moved[node] >= 0:
            _move_node(tree, node, moved[node])
    tree.used[0] = kept


@compiled
def thin(tree: Tree) -> None:
    """Gives back at least half of the room, once the tree is nearly full.

    The children go of those nodes that were visited least; they grow again where they are missed.
    """
    if tree.used[0] < _FULL * len(tree.stat):
        return
    least = 1.0
    kept = tree.used[0]
    while 2 * kept > len(tree.stat):
        least *= 2
        kept = 0
        for node in range(1, tree.used[0]):
            if tree.stat[node, VISITS] >= least:
                kept += tree.link[node, CHILDREN]
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
