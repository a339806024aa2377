"""The place of the board in one picture, and changes of it and on it from frame to frame.

The layers, each knowing only those above it:

    frame_features    all measurements of a frame
    markers           the four printed markers: the orientation, and the rough place
    board_network     the network that sees corners of boards in a small view
    grid_fit          the place of a grid by the lines between squares
    board_pose        the place of a board: of its squares, and of its lines
    board_extent      the border of a field of squares
    proposals         boards that the network sees in a picture
    markerless        a board in any picture, without markers
    failure_reasons   reasons that a single picture shows no board
    board_detector    the board, by given corners, by its markers, or by its squares
    change_detection  hands, objects and changes over the board, by comparison with earlier frames
    shape_cache       outputs of the network of squares, reused while nothing changes
    tracking          the board followed from frame to frame, and found again
"""
