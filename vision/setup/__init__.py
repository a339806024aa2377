"""The check of a set-up, and measurements that are taken of it once.

rating            ratings of the findings of a check
report            findings of a check, with stable codes
lens_calibration  the lens of a camera, measured on the lines of a board
camera_pose       the place of the camera over the board
led_detection     the square that glows, from two frames
setup_check       a check that a set-up is good enough to referee a game
"""
