"""A page that somebody copied from the browser's window, as plain text, still gives its workflows back."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from circuit_export import export_page, load, restore
from circuit_export.restore import Digest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.browser
def test_the_copied_text_of_a_page_restores_untouched_with_what_it_calls(browser: Browser) -> None:
    workflow = load(EXAMPLES / "meeting-brief.json")
    page = browser.new_page()
    try:
        page.set_content(export_page(workflow))
        copied = page.inner_text("body")
        saved = page.content()
    finally:
        page.close()
    for text in (copied, saved):
        found = restore(text)
        assert found.digest is Digest.MATCHES
        assert found.bundle.main.text == workflow.definition.text
        assert [(other.path, other.text) for other in found.bundle.others] == [
            (other.path, other.text) for other in workflow.bundle.others
        ]
