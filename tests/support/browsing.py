"""A page opened in a real browser, and what is looked for there."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

# Everything in a chip that is not inside the chip, or that lies over another text of it. Pixels are counted from half
# a pixel on: what a browser rounds is no fault.
STRAYS = """() => {
  const strays = [];
  const rects = node => {
    const range = document.createRange(); range.selectNodeContents(node);
    return [...range.getClientRects()].filter(r => r.width > 0);
  };
  const inside = (a, b) =>
    a.left >= b.left - .5 && a.right <= b.right + .5 && a.top >= b.top - .5 && a.bottom <= b.bottom + .5;
  const over = (a, b) =>
    a.left < b.right - .5 && b.left < a.right - .5 && a.top < b.bottom - 1.5 && b.top < a.bottom - 1.5;
  for (const chip of document.querySelectorAll('.chip')) {
    const box = chip.getBoundingClientRect();
    const parts = ['.verb', '.title', '.text', '.ports'].map(s => [s, chip.querySelector(s)]).filter(p => p[1]);
    const texts = parts.map(([name, node]) => [name, rects(node)]);
    for (const [name, found] of texts)
      for (const rect of found) if (!inside(rect, box)) strays.push([chip.dataset.step, name, 'outside']);
    for (let i = 0; i < texts.length; i++) for (let j = i + 1; j < texts.length; j++)
      for (const a of texts[i][1]) for (const b of texts[j][1])
        if (over(a, b)) strays.push([chip.dataset.step, texts[i][0], 'over ' + texts[j][0]]);
    if (Math.abs(box.width - chip.dataset.w) > .5 || Math.abs(box.height - chip.dataset.h) > .5)
      strays.push([chip.dataset.step, 'size', box.width + ' x ' + box.height]);
  }
  return strays;
}"""

# Elements whose text is cut off or spills out. What scrolls is not cut; a chip's own ellipsis is in its text.
CUT = """() => {
  const cut = [];
  for (const node of document.querySelectorAll('body *')) {
    const style = getComputedStyle(node);
    if (style.position === 'absolute' && style.clipPath !== 'none') continue;
    if (!node.textContent.trim() || node.closest('svg, .skip')) continue;
    if (style.display === 'inline' || !node.clientWidth) continue;
    const scrolls = ['auto', 'scroll'].includes(style.overflowX) || ['auto', 'scroll'].includes(style.overflowY);
    if (scrolls) continue;
    if (node.scrollWidth > node.clientWidth + 1 && !node.querySelector('.ring') && !node.classList.contains('board'))
      cut.push([node.tagName + '.' + node.className, node.scrollWidth, node.clientWidth]);
  }
  return cut;
}"""


@contextmanager
def opened(browser: Browser, tmp_path: Path, page: str, **options: Any) -> Iterator[Page]:
    """A page in a window of its own. It may not say a word on the console, nor ask for anything but itself."""
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8", newline="")
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    window = context.new_page()
    said: list[str] = []
    window.on("console", lambda message: said.append(message.text))
    window.on("pageerror", lambda error: said.append(str(error)))
    window.on("dialog", lambda dialog: said.append(dialog.message))
    window.on("request", lambda request: said.append(request.url) if request.url != file.as_uri() else None)
    window.goto(file.as_uri())
    try:
        yield window
        assert [line for line in said if not line.startswith(file.as_uri() + "#")] == []
    finally:
        context.close()


def violations(window: Page) -> list[str]:
    found = Axe().run(window).response["violations"]
    return [f"{rule['id']}: {node['html'][:160]} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
