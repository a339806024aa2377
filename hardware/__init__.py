"""Three tables that a person can build, drawn and computed by programs.

parts        parts of all builds as code, their files, and where each stands when assembled
wiring       the connections of a table, computed from its settings and drawn
drawings     pictures of each step, as SVG
renders      path-traced pictures of the builds
sheets       sheets that are ready to print, as PDF
buying       what to buy for each build, its sum, and what the list lacks
page_tables  tables of the pages that are computed: what to buy, tubes, parts, screws
makers       makers of all these files in order, and their comparisons
"""
