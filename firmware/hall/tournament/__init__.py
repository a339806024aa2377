"""Tournaments: pure computation, without clock, files and network.

Players, matches and reports are named by ids; `state` computes a tournament from its events. Each
module is listed after those that it imports, each knowing only those above it:

    codes         words that tournament and page have in common
    errors        the error of an event that cannot be
    settings      the terms of a tournament
    matches       players, matches and rounds; reports of results, rulings
    events        everything that happens in a tournament, to JSON and back
    state         the tournament as its events add up
    points        points of each player in each round
    standings     the order of the players, by points and tie-breaks
    history       meetings, seats and byes of the rounds before
    pair_draw     two players a match, by a matching of least cost
    group_draw    three and four players a match, by swaps
    draw          the draw of a round, and warnings about it
"""
