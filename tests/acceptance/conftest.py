"""Pictures are computed in one thread, since tests run in parallel."""

import cv2

cv2.setNumThreads(1)
