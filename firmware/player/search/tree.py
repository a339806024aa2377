"""The search: descends a tree of moves, evaluates its leaf, and adds the result to its nodes.

A node is a move with its results for the side that makes it. Its value is the mean of three
parts: results of simulations through it; results of others in which the same move was made later,
with less weight the later it was (rapid action value estimation, Gelly and Silver 2007); and a
guess from its parent's value that counts as a few results, smaller for a smaller prior. The
selection adds a term of the prior, as in PUCT (Rosin 2011).

A playout evaluates a leaf; for a new position the network can, which computes the prior of its
moves anyway (as in AlphaZero, Silver 2018).
"""

from typing import Final, NamedTuple

import numpy as np

from firmware.player.search.chance import draw
from firmware.player.search.features import PlayerView, look, new_view
from firmware.player.search.jit import compiled, inlined
from firmware.player.search.kernels import (
    MOVES,
    BoardState,
    copy_state,
    empty_state,
    least_size,
    next_mover,
    refresh,
)
from firmware.player.search.network import Network, weigh, weight_of
from firmware.player.search.nodes import (
    CHILDREN,
    COLOUR,
    DEEPEST,
    FIRST,
    GUESS,
    MARGIN,
    MOVE,
    OVER,
    PRIOR,
    RESULT,
    SHARED_RESULT,
    SHARED_VISITS,
    UNSEEN,
    VISITS,
    WINS,
    Tree,
    new_tree,
)
from firmware.player.search.playout import (
    Playout,
    lay,
    learn_replies,
    new_game,
    play_out,
)
from firmware.player.search.scoring import Sides, clearly, judge, mover_side
from firmware.player.search.tables import Tables


class SearchParameters(NamedTuple):
    """Parameters of the search.

    Measured in Duo with playouts, each in 40 games at equal simulations, so to about 15 points:
    against the defaults `explore` 0.2 scored 35 %, 1.0 46 %; `share` 0.5 41 %, 0.12 50 %;
    `grow_deeper` 1 against 0 47 %, with half as many simulations a second again. With the
    network instead of playouts `explore` 0.25 scored 50 % of 30. For Classic see `PLAYING_CLASSIC`.

    Attributes:
        explore: weight of the prior in the selection.
        guess: number of results that the guess of a move's value counts as.
        shared: largest weight of a result in which the same move was made later.
        most_shared: number of results above which such results are not added any more.
        share: share of the clearness of a win in a result, 0 to 1.
        least: prior relative to the best one below which a move is omitted, except at the root.
        grow_at: visits of a node at which its children are created.
        grow_deeper: additional visits for each move below the root.
        trust: share of the network's prediction in the result of a simulation that creates
            children; the rest is a playout. Only for two sides.
        blur: width of the random deviation of the network's prediction, so that threads differ.
    """

    explore: float = 0.5
    guess: float = 3.0
    shared: float = 0.7
    most_shared: float = 2000.0
    share: float = 0.25
    least: float = 0.0001
    grow_at: float = 2.0
    grow_deeper: float = 1.0
    trust: float = 0.0
    blur: float = 0.05


PLAYING: Final = SearchParameters()
"""For games of four colours, whose end playouts predict better than the network."""

PLAYING_CLASSIC: Final = PLAYING._replace(explore=0.25)
"""The same on 20x20.

In 48 games of Classic each, at 800 simulations, `explore` 0.25 scored 57 % against 0.5, 1.0 28 %,
0.12 50 %, 0.05 38 %; `shared` 0.3 54 %, 1.0 44 %; and with `explore` 0.25 `share` 0.5 47 %. On
14x14 `explore` 0.5 scored 64 % of 48 games against 0.25.
"""

EXPECTING: Final = SearchParameters(grow_at=0.0, grow_deeper=0.0, trust=1.0)
"""For games of two colours: the network evaluates each new position, without playouts."""


class Search(NamedTuple):
    """State and buffers of the search of one position; one for each thread.

    Attributes:
        root: the position.
        state: buffer of a simulation.
        sight: buffer of the prior.
        tree: the tree.
        game: buffer of a playout, with the random number generator.
    """

    root: BoardState
    state: BoardState
    sight: PlayerView
    tree: Tree
    game: Playout


def new_search(tables: Tables, root: BoardState, sides: Sides, nodes: int, seed: int) -> Search:
    """A search of a position, with a tree of at most `nodes` nodes."""
    colours, placements = len(root.tally), len(tables.info)
    tree = new_tree(nodes, colours, placements, sides.number)
    room = empty_state(tables, colours)
    return Search(root, room, new_view(tables), tree, new_game(tables, colours, seed))


@compiled
def _grow(
    tables: Tables,
    search: Search,
    sides: Sides,
    network: Network,
    rates: SearchParameters,
    node: int,
) -> bool:
    """Creates the children of a node whose position is `search.state`.

    Returns:
        True if it has children; False if the game is over or the tree is full.
    """
    state, view, tree = search.state, search.sight, search.tree
    colour = next_mover(tables, state)
    if colour < 0:
        tree.link[node, FIRST] = OVER
        return False
    count = state.tally[colour, MOVES]
    first = tree.used[0]
    if first + count > len(tree.stat):
        return False
    for other in range(len(state.tally)):
        if other != colour:
            refresh(tables, state, other)
    look(tables, state, sides, colour, view)
    weigh(tables, view, network)
    if node > 0:
        count = _keep_large(tables, state, colour, count)
    best = -1e9
    for i in range(count):
        weight = weight_of(tables, view, network, state.moves[colour, i])
        tree.stat[first + i, PRIOR] = weight
        best = max(best, weight)
    least = best + np.log(rates.least) if node > 0 else -1e9
    total = 0.0
    last = first
    for i in range(count):
        weight = tree.stat[first + i, PRIOR]
        if weight >= least:
            # A guess is the parent's value times the root of the prior relative to the best.
            guess = np.exp((weight - best) / 2)
            _begin_node(tree, last, state.moves[colour, i], guess)
            total += guess * guess
            last += 1
    for i in range(first, last):
        tree.stat[i, PRIOR] = tree.stat[i, GUESS] ** 2 / total
    tree.used[0] = last
    tree.link[node, CHILDREN] = last - first
    tree.link[node, COLOUR] = colour
    tree.link[node, FIRST] = first
    return True


@inlined
def _keep_large(tables: Tables, state: BoardState, colour: int, count: int) -> int:
    """Moves the open placements of considered pieces to the front; returns their number.

    Returns `count` if there are none.
    """
    moves = state.moves[colour]
    first = tables.first_of[least_size(state, colour)]
    large = 0
    for i in range(count):
        placement = moves[i]
        if placement >= first:
            moves[large] = placement
            large += 1
    return large or count


@inlined
def _begin_node(tree: Tree, node: int, placement: int, guess: float) -> None:
    for column in range(PRIOR):
        tree.stat[node, column] = 0
    tree.stat[node, GUESS] = guess
    tree.link[node, MOVE] = placement
    tree.link[node, FIRST] = UNSEEN
    tree.link[node, CHILDREN] = 0


@inlined
def _select(tree: Tree, node: int, rates: SearchParameters) -> int:
    """The child with the highest value in the selection."""
    stat = tree.stat
    first = tree.link[node, FIRST]
    last = first + tree.link[node, CHILDREN]
    visits, result = np.float32(0), np.float32(0)
    for i in range(first, last):
        visits += stat[i, VISITS]
        result += stat[i, RESULT]
    guess = np.float32(rates.guess)
    guessed = guess * (result / visits if visits else np.float32(0.5))
    draw_of = np.float32(rates.explore) * np.sqrt(visits + 1) * np.log(visits + 2)
    best, chosen = np.float32(-1e9), first
    for i in range(first, last):
        known = guess + stat[i, VISITS] + stat[i, SHARED_VISITS]
        sum_of = guessed * stat[i, GUESS] + stat[i, RESULT] + stat[i, SHARED_RESULT]
        value = (sum_of + draw_of * stat[i, PRIOR]) / known
        if value > best:
            best, chosen = value, i
    return int(chosen)


@compiled
def _descend(
    tables: Tables, search: Search, sides: Sides, network: Network, rates: SearchParameters
) -> tuple[int, int]:
    """Descends from the root to a leaf, lays the moves, and grows the leaf if it is due.

    Returns:
        Length of the path; and the side to move if the network has evaluated the leaf, else -1.
    """
    tree, state, game = search.tree, search.state, search.game
    node, depth = 0, 0
    game.length[0] = 0
    while depth < DEEPEST:
        due = rates.grow_at + depth * rates.grow_deeper
        if tree.link[node, FIRST] == UNSEEN and tree.stat[node, VISITS] >= due:
            grown = _grow(tables, search, sides, network, rates, node)
            if grown and rates.trust > 0 and sides.number == 2:
                return depth, mover_side(state, sides, tree.link[node, COLOUR])
        if tree.link[node, FIRST] < 0:
            break
        colour = tree.link[node, COLOUR]
        node = _select(tree, node, rates)
        tree.path[depth] = node
        lay(tables, state, sides, game, colour, tree.link[node, MOVE])
        depth += 1
    return depth, -1


@inlined
def _expect(search: Search, side: int, rates: SearchParameters) -> None:
    """Mixes the network's prediction for the side to move into the verdict."""
    verdict, trust = search.tree.verdict, np.float32(rates.trust)
    blur = np.float32(rates.blur) * np.float32(draw(search.game.chance) - 0.5)
    chance = min(max(search.sight.end[0] + blur, np.float32(0)), np.float32(1))
    for of in range(2):
        wins = chance if of == side else 1 - chance
        margin = search.sight.end[1] if of == side else -search.sight.end[1]
        result = np.float32(1 - rates.share) * wins + np.float32(rates.share) * clearly(margin)
        verdict[1, of] += trust * (result - verdict[1, of])
        verdict[2, of] += trust * (margin - verdict[2, of])
        verdict[3, of] += trust * (wins - verdict[3, of])


@compiled
def _learn(search: Search, depth: int, rates: SearchParameters) -> None:
    """Adds the verdict of a simulation to the nodes on its path and to their siblings."""
    tree, game = search.tree, search.game
    result, margin, wins = tree.verdict[1], tree.verdict[2], tree.verdict[3]
    length = game.length[0]
    for i in range(length):
        tree.seen[game.colours[i], game.placements[i]] = i + 1
    tree.stat[0, VISITS] += 1
    parent = 0
    for i in range(depth):
        node, side = tree.path[i], game.sides[i]
        stat = tree.stat[node]
        stat[VISITS] += 1
        stat[RESULT] += result[side]
        stat[MARGIN] += margin[side]
        stat[WINS] += wins[side]
        seen = tree.seen[game.colours[i]]
        fade = np.float32(1 / (length - i))
        first = tree.link[parent, FIRST]
        for child in range(first, first + tree.link[parent, CHILDREN]):
            later = np.int64(seen[tree.link[child, MOVE]]) - i - 1
            if later > 0:
                stat = tree.stat[child]
                if stat[VISITS] + stat[SHARED_VISITS] < rates.most_shared:
                    weight = np.float32(rates.shared) * (1 - later * fade)
                    stat[SHARED_VISITS] += weight
                    stat[SHARED_RESULT] += weight * result[side]
        parent = node
    for i in range(length):
        tree.seen[game.colours[i], game.placements[i]] = 0


@compiled
def simulate(
    tables: Tables,
    search: Search,
    sides: Sides,
    network: Network,
    rates: SearchParameters,
    simulations: int,
) -> None:
    """Makes some simulations: descends the tree, evaluates the leaf, adds the result."""
    if search.tree.link[0, FIRST] == UNSEEN:
        copy_state(search.root, search.state)
        _grow(tables, search, sides, network, rates, 0)
    for _ in range(simulations):
        copy_state(search.root, search.state)
        depth, expecting = _descend(tables, search, sides, network, rates)
        if expecting < 0 or rates.trust < 1:
            play_out(tables, search.state, sides, search.game)
            judge(search.state, sides, search.tree.verdict, rates.share)
            learn_replies(search.game, search.tree.verdict[3])
        if expecting >= 0:
            _expect(search, expecting, rates)
        _learn(search, depth, rates)
