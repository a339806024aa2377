"""Pictures of each step of the builds as SVG, each module knowing only those above it.

solids          shapes of triangles: boxes, prisms, cylinders
view            a direction of looking, and the edges that shapes show
visibility      hidden surfaces: a raster of depths, filled areas, parts of lines in sight
notes           numbers, arrows and lengths, as lines of SVG
drawing         things with numbers, arrows and lengths, as SVG
things          things bought or there already: table, board, markers, phone, computer
electronics     bought electronics: computer, supply, LEDs, cables
assembled       our own parts in their places
twenty_minutes  pictures of build A
club_table      pictures of build B
glowing_board   pictures of build C
files           writes the pictures, and compares them with those of the repository

The same picture made again is equal byte for byte. The triangles of our own parts come from their
files, so that no CAD kernel is needed.
"""
