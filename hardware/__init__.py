"""Three tables that a person can build, drawn and computed by programs.

drawings  pictures of each step, as SVG
sheets    sheets that are ready to print, as PDF
"""
