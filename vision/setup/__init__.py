"""The check of a set-up, and measurements that are taken of it once.

report            faults of a set-up, as codes
lens_calibration  the lens of a camera, measured on the lines of a board
camera_pose       the place of the camera over the board
led_detection     the square that glows, from two frames
setup_check       is the set-up good enough to referee a game
"""
