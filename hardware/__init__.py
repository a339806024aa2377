"""Three tables that a person can build, drawn and computed by programs.

parts   parts of all builds as code, their files, and where each stands when assembled
wiring  the connections of a table, computed from its settings and drawn
"""
