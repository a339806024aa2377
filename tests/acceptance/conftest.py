"""Pictures are computed in one thread, since tests run beside each other."""

import cv2

cv2.setNumThreads(1)
