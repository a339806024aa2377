"""Makes the animated picture of the README from a real browser and a simulated table.

python -m tests.support.readme_animation [OUT.webp]
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from tests.conftest import ROOT

OUT = ROOT / ".github" / "cornerlight.webp"
SIZE = (1120, 700)
PLIES = 6
EVERY_MS = 350
SHOWN_MS = 220
LAST_MS = 2500
QUALITY = 60


def film(address: str) -> list[np.ndarray]:
    """Takes pictures of the page until `PLIES` moves have been made."""
    frames = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        page.goto(address)
        page.wait_for_selector("#board svg", timeout=60_000)
        while page.locator("#moves [data-ply]").count() < PLIES:
            data = np.frombuffer(page.screenshot(), np.uint8)
            frames.append(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR)))
            page.wait_for_timeout(EVERY_MS)
        browser.close()
    return frames


def main() -> None:
    """Runs a demo and writes the animation."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    words = [sys.executable, "-m", "firmware", "demo", "--autoplay", "--seed", "1", "--port", "0"]
    demo = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert demo.stdout is not None
    found = (re.search(r"http://localhost:\d+/", line) for line in demo.stdout)
    match = next(filter(None, found), None)
    assert match, "the demo said no address"
    try:
        frames = film(match[0])
    finally:
        demo.terminate()
        demo.wait()
    animation = cv2.Animation()
    animation.frames = frames
    animation.durations = [*[SHOWN_MS] * (len(frames) - 1), LAST_MS]
    out.parent.mkdir(exist_ok=True)
    cv2.imwriteanimation(str(out), animation, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    print(f"{out}: {len(frames)} frames, {out.stat().st_size / 1e3:.0f} kB")  # noqa: T201


if __name__ == "__main__":
    main()
