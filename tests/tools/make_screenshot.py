"""Makes the README's picture, `.github/page.png`: the head, the board and the first steps of an example's page.

    python tests/tools/make_screenshot.py

wants Playwright, Pillow and a Chromium (the one that CIRCUIT_CHROMIUM names, else the first of the usual names).
"""

import io
import os
import shutil
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from circuit_export import export_page, load

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "inbox-triage.json"
PICTURE = ROOT / ".github" / "page.png"
WIDTH, HEIGHT = 1280, 1320
COLOURS = 256
"""A page has few colours: a palette keeps the picture small, and is not seen."""


def picture(page: str) -> bytes:
    """The top of a page as PNG, with its whole board in the window."""
    chromium = os.environ.get("CIRCUIT_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        window = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=2, color_scheme="light"
        )
        window.set_content(page)
        window.get_by_label("Fit it to the window").check()
        window.evaluate("document.activeElement.blur()")
        window.mouse.move(0, 0)
        taken = window.screenshot()
        browser.close()
    return taken


def main() -> None:
    taken = Image.open(io.BytesIO(picture(export_page(load(EXAMPLE))))).convert("RGB")
    taken.quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
