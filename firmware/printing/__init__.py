"""Sheets for the table as vector PDF to scale, each knowing only those above it.

paper          sizes of paper
sheets         pages of a file: text, lines and shapes in millimetres, and a ruler
marker_layout  places of the four markers beside a board
marker_sheet   the markers, and a mat to lay the board on
address_card   the address of the page, as text and as a QR code
rules_sheet    the rules of one game

The same sheet made again is equal byte for byte. `fonts` has Noto Sans JP (SIL Open Font License)
with the characters of English, German and JIS X 0208 level 1; only what a sheet needs is embedded.
"""
