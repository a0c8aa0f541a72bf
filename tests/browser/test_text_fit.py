"""Fitted text in a real browser: nothing is ever wider than `width` says, in any script and any installed font."""

import pytest
from playwright.sync_api import Browser

from circuit_export.board.text_fit import Face, fit_lines, width

pytestmark = pytest.mark.browser

STACKS = {
    "sans": '"Instrument Sans", system-ui, -apple-system, "Segoe UI", Roboto, Arial, "Noto Sans", sans-serif',
    "mono": '"Spline Sans Mono", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace',
}
# Each first, where it is installed; else the generic one counts once more.
FORCED = {
    "sans": ['"DejaVu Sans", sans-serif', '"Liberation Sans", sans-serif', '"Noto Sans", sans-serif', "system-ui"],
    "mono": ['"DejaVu Sans Mono", monospace', '"Liberation Mono", monospace', '"Noto Sans Mono", monospace'],
}
WEIGHTS = {"regular": [400], "semibold": [500, 600]}

TEXTS = [
    "Draft a reply in her voice and send it to everyone who asked",
    "illicit till lilies fill it, ffi ffl fi fl WAVE AWAY To Ty VA",
    "Gmail:search_threads, step-42, {{trigger.body}}",
    "0123456789 10:45 — “quotes” ‘q’ … ½ ® © ™ × ÷ ± § ¶ € £ ¥",
    "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG",
    "the quick brown fox jumps over the lazy dog",
    "WWWWWWWW mmmmmmmm @@@@@@ %%%%%% iiiiiiii llllllll ........",
    "Prüfe die Beiträge größer ÀÉÎÕÜ ñ ç ø å œ æ ß ŁŐŰŞĞ",
    "Ελληνικά κείμενο άέήίόύώ ΐΰ",
    "Русский текст щука Жёлтый ЫЪЭ Ѡ Ӂ Ҵ",
    "Tiếng Việt có dấu ặ ễ ộ",
    "שלום עולם, שָׁלוֹם 123",
    "مرحبا بالعالم كيف حالك لا إله إلا الله مُحَمَّد",
    "فارسی یک متن گ چ پ ژ می‌خواهم",
    "اردو میں لکھا ہوا متن ہے ٹ ڈ ے",
    "日本語のテキスト、漢字かな交じり。ｶﾀｶﾅ「全角」ＡＢＣ",
    "한국어 텍스트입니다 \u1112\u1161\u11ab\u1100\u1173\u11af",
    "简体中文文本：测试，標點符號！𠮷",
    "नमस्ते दुनिया स्त्री क्षत्रिय र्‍या",
    "বাংলা লেখা কো কৌ ক্ষ",
    "தமிழ் எழுத்து கொ கௌ",
    "తెలుగు రాయడం క్ష",
    "ಕನ್ನಡ ಬರಹ ಕ್ಷ",
    "മലയാളം എഴുത്ത് ക്ഷ ണ്‍",
    "ગુજરાતી લખાણ",
    "ਪੰਜਾਬੀ ਲਿਖਤ",
    "ଓଡ଼ିଆ ଲେଖା",
    "සිංහල ලිවීම ශ්‍රී",
    "ภาษาไทย น้ำ ที่นี่",
    "ພາສາລາວ ນ້ຳ",
    "မြန်မာစာ ကျောင်း",
    "ភាសាខ្មែរ ស្ត្រី",
    "ქართული",
    "Հայերեն",
    "አማርኛ",
    "བོད་ཡིག བསྒྲུབས",
    "ᠮᠣᠩᠭᠣᠯ",
    "👨‍👩‍👧‍👦👍🏽🇩🇪🏴󠁧󠁢󠁥󠁮󠁧󠁿1️⃣#️⃣❤️☺",
    "😀😃🎉🚀✅⚠️ℹ️↔▶☎♻",
    "e\u0301\u0301\u0301 ạ̈̂ Z͑ͫ̓a͆l̈́g̋o",
    "\u0301 alone \u093f \u0e31 \u064b \u302e",
    "a\u093f b\u0bcb c\u064b d\u0e33",
    "𝒜𝓁𝓅𝒽𝒶 𝔻𝕠𝕦𝕓𝕝𝕖 𝕸𝖆𝖙𝖍",
    "∑∏∫√∞≈≠≤≥→←↑↓⇒∤⊬⋪",
    "①②③Ⅳ㎏㏂㌔ ⸻ ꧅ 𒐫",
    "\ue000\uf8ff\u0378\U0010ffff \u20c0",
    "ﷺ ﷽ ﷲ",
    "ǆǅǄ ŉ Ĳ ẞ",
    "\u1100 \u1161 \u11a8 \u115f\u1160 \ua960\ud7b0",
    "a\u200bb\u200dc\u2060d\u00ade\ufefff\u200e\u200f",
    "\u2003em\u2002en\u2009thin\u3000wide\u00a0",
]

MEASURE = """([texts, style]) => {
  const box = document.createElement('div');
  box.style.cssText = style + ';white-space:pre;text-rendering:geometricPrecision';
  for (const text of texts) {
    const line = document.createElement('div');
    line.dir = 'auto';
    line.textContent = text;
    box.append(line);
  }
  document.body.append(box);
  const widths = [...box.children].map(line => {
    const range = document.createRange();
    range.selectNodeContents(line);
    return range.getBoundingClientRect().width;
  });
  box.remove();
  return widths;
}"""


def css(name: str, weight: int, family: str, size: float, spacing: float) -> str:
    return f"font:{weight} {size}px {family};letter-spacing:{spacing}px"


@pytest.mark.parametrize("name", ["sans", "mono"])
@pytest.mark.parametrize("weight", ["regular", "semibold"])
def test_no_text_is_wider_than_its_width(browser: Browser, name: str, weight: str) -> None:
    page = browser.new_page()
    page.set_content("<!doctype html><meta charset=utf-8><body>")
    wide = []
    for family in [STACKS[name], *FORCED[name]]:
        for css_weight in WEIGHTS[weight]:
            for size, spacing in ((11, 0), (13.5, 0), (9, 0.9), (16, 0)):
                face = Face(name, weight, size, spacing)
                measured = page.evaluate(MEASURE, [TEXTS, css(name, css_weight, family, size, spacing)])
                wide += [
                    (family, css_weight, size, text, real, width(text, face))
                    for text, real in zip(TEXTS, measured, strict=True)
                    if real > width(text, face)
                ]
    page.close()
    assert wide == []


def test_fitted_lines_stay_inside_their_room(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<!doctype html><meta charset=utf-8><body>")
    room = 150
    for name, weight, css_weight, size in (("sans", "semibold", 600, 13), ("sans", "regular", 400, 11)):
        lines = [line for text in TEXTS for line in fit_lines(text, Face(name, weight, size), room, 2)]
        for family in (STACKS[name], '"DejaVu Sans"'):
            measured = page.evaluate(MEASURE, [lines, css(name, css_weight, family, size, 0)])
            assert [(line, real) for line, real in zip(lines, measured, strict=True) if real > room] == []
    page.close()


def test_the_bound_is_not_wasteful(browser: Browser) -> None:
    """For the widest of the usual fonts the bound is near: what is cut in it would hardly have fitted."""
    page = browser.new_page()
    page.set_content("<!doctype html><meta charset=utf-8><body>")
    texts = TEXTS[:1] + TEXTS[5:6]
    measured = page.evaluate(MEASURE, [texts, css("mono", 400, "monospace", 13, 0)])
    page.close()
    for text, real in zip(texts, measured, strict=True):
        assert width(text, Face("mono", "regular", 13)) <= 1.15 * real
