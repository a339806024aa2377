"""Three tables that a person can build, drawn and computed by programs.

wiring    the connections of a table, computed from its settings and drawn
"""
