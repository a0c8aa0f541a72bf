"""Makes circuit_export/board/glyph_widths.py: how wide a character can get in the page's fonts, and how text breaks.

    python make_glyph_widths.py FONTS ucd.json > ../../circuit_export/board/glyph_widths.py

It needs fonttools, brotli and uharfbuzz, which the project itself does not. `ucd.json` comes from make_ucd.mjs. FONTS
holds the font files that are measured, in `sans/`, `mono/` and `fallback/`, each with folders `regular/`, `semibold/`:

* sans: Instrument Sans and what the system's sans can be: Inter (near San Francisco), Open Sans (near Segoe UI),
  Roboto, Liberation Sans (the metrics of Helvetica and Arial), Noto Sans, Cantarell, Ubuntu, DejaVu Sans;
* mono: Spline Sans Mono, Noto Sans Mono, Liberation Mono (Courier's metrics), DejaVu Sans Mono (Menlo's);
* fallback: Noto for every script, CJK included, which is what a browser reaches for when the stack lacks a character.

Regular is weight 400; semibold is 500 and 600, and 700 where a family has nothing between.
"""

import json
import sys
from collections import defaultdict
from io import BytesIO
from pathlib import Path

import uharfbuzz as harfbuzz
from fontTools.ttLib import TTCollection, TTFont

# Features that browsers apply by themselves; a glyph may be replaced by any of these.
FEATURES = {
    "ccmp", "locl", "rlig", "calt", "liga", "clig", "rclt", "rvrn", "init", "medi", "med2", "fina", "fin2", "fin3",
    "isol", "abvs", "blws", "pres", "psts", "haln", "half", "pref", "abvf", "blwf", "pstf", "cjct", "nukt", "akhn",
    "rphf", "rkrf", "vatu", "ljmo", "vjmo", "tjmo",
}  # fmt: skip
SHAPERS = {}
JOINING = range(0x600, 0x900)  # Arabic, Syriac, N'Ko and their like
END = 0x20000
MONO_FLOOR = 62  # SF Mono, which cannot be measured here
EMOJI = 140  # Segoe UI Emoji 1.37 em, Apple's up to 1.4 at small sizes, Noto's 1.25
TOFU = 120  # the box for a character that no font has: up to 1.2 em where it shows the code point
TOFU_BEYOND = 140  # … and six digits of it
INDIC = range(0x900, 0xE00)  # shaped without dropping the advance of marks
# Scripts that every desktop and phone has a font for: no box is to be expected there.
COMMON = [
    (0x0000, 0x13FF), (0x1780, 0x18AF), (0x1E00, 0x20CF), (0x2100, 0x214F), (0x2190, 0x22FF),
    (0x2460, 0x27BF), (0x2E80, 0xA4CF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0xFB00, 0xFDFF), (0xFE10, 0xFEFE),
    (0xFF00, 0xFFEF),
]  # fmt: skip
# What HarfBuzz never shows, whatever the font holds.
INVISIBLE = [
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFF0, 0xFFF8), (0x1D173, 0x1D17A),
]  # fmt: skip
MARGIN_ACCENTED = 1.01  # beyond Latin-1: a letter may be put together from its parts; before, rounding up is margin
MARGIN_FALLBACK = 1.1  # another system's fonts for the script may be somewhat wider than Noto
# What shapers make of single characters, measured in a browser: letters with a stroke put together from two parts,
# marks that come with a circle, a joined form wider than any glyph of its own.
SHAPED = {
    **dict.fromkeys([0x2204, 0x2209, 0x220C, 0x2224, 0x2226, *range(0x22AC, 0x22B0), *range(0x22E0, 0x22EE)], 122),
    **dict.fromkeys(range(0xAC00, 0xD7A4), 100),  # Noto's syllables are a little narrower than an em, others' are not
    **dict.fromkeys(range(0x20C0, 0x20D0), TOFU),  # currency signs newer than most fonts
    **dict.fromkeys([0x390, 0x3CA, *range(0x1F32, 0x1F38), *range(0x1FD0, 0x1FD8)], 37),
    **dict.fromkeys(range(0xA9C3, 0xA9C6), 214),
    **dict.fromkeys([*range(0x1062, 0x106E), *range(0x1083, 0x1090), *range(0x109A, 0x109D)], 96),
    0x728: 77, 0x7DF: 74, 0x1063: 130, 0x108C: 130, 0xAA7D: 130, 0x1030C: 148, 0x302E: 210, 0x302F: 210,
}  # fmt: skip
MONO_MARKS = [*range(0x342, 0x370), *range(0xFE20, 0xFE30)]
MARGIN_BOLD = 1.06  # a script without a bold face is emboldened by the browser


def within(point, ranges):
    return any(first <= point <= last for first, last in ranges)


def fonts_of(folder):
    for path in sorted(folder.iterdir()):
        if path.suffix == ".ttc":
            yield from TTCollection(path).fonts
        else:
            yield TTFont(path)


def replacements(font):
    """Per glyph name, the glyph sequences that default features may put in its place."""
    found = defaultdict(list)
    if "GSUB" not in font or not font["GSUB"].table.FeatureList or not font["GSUB"].table.LookupList:
        return found
    table = font["GSUB"].table
    wanted = set()
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag in FEATURES:
            wanted.update(record.Feature.LookupListIndex)
    chained = {}
    for index, lookup in enumerate(table.LookupList.Lookup):
        for sub in lookup.SubTable:
            sub = getattr(sub, "ExtSubTable", sub)
            chained.setdefault(index, []).append(sub)
    # Contextual lookups call others by number: those count too.
    for index in sorted(wanted):
        for sub in chained.get(index, ()):
            if sub.LookupType in (5, 6):
                wanted = wanted | set(called(sub))
    for index in sorted(wanted):
        for sub in chained.get(index, ()):
            if sub.LookupType == 1:
                for source, target in sub.mapping.items():
                    found[source].append((target,))
            elif sub.LookupType == 2:
                for source, targets in sub.mapping.items():
                    found[source].append(tuple(targets))
    return found


def called(sub):
    """The lookup numbers that a contextual subtable applies."""
    for value in vars(sub).values():
        for item in value if isinstance(value, list) else [value]:
            if item.__class__.__name__ in ("SubstLookupRecord",):
                yield item.LookupListIndex
            elif hasattr(item, "__dict__") and item.__class__.__module__.endswith("otTables"):
                yield from called(item)


def measure(font, unicode_marks):
    """Code point → the widest its glyph gets, in hundredths of an em (a float)."""
    scale = 100 / font["head"].unitsPerEm
    metrics = font["hmtx"].metrics
    classes = None
    if "GDEF" in font and font["GDEF"].table.GlyphClassDef is not None:
        classes = font["GDEF"].table.GlyphClassDef.classDefs
    swaps = replacements(font)
    cmap = font.getBestCmap() or {}
    marks = {glyph for point, glyph in cmap.items() if point in unicode_marks}

    def advance(glyph, indic):
        mark = classes.get(glyph) == 3 if classes else glyph in marks
        return 0 if mark and not indic else metrics[glyph][0]

    def widest(glyph, indic, depth=0):
        best = advance(glyph, indic)
        if depth < 3:
            for sequence in swaps.get(glyph, ()):
                if glyph not in sequence:
                    best = max(best, sum(widest(part, indic, depth + 1) for part in sequence))
        return best

    def bound(point, glyph):
        # What replaces an Indic vowel sign or virama is seldom shown beside the whole consonant.
        most = metrics[glyph][0] + 20 / scale if point in INDIC else float("inf")
        return min(widest(glyph, point in INDIC), most) * scale

    known = [(point, glyph) for point, glyph in cmap.items() if point < END and glyph in metrics]
    widths = {point: bound(point, glyph) for point, glyph in known}
    joined = {point: joined_width(font, point) for point, _ in known if point in JOINING}
    return widths, joined


def joined_width(font, point):
    """The width of a letter between joiners, the wider of its initial and its medial form, as HarfBuzz shapes them."""
    if font not in SHAPERS:
        data = BytesIO()
        font.flavor = None
        font.save(data)
        SHAPERS[font] = harfbuzz.Font(harfbuzz.Face(data.getvalue()))
    widest = 0
    for text in (f"{chr(point)}\u200d", f"\u200d{chr(point)}\u200d"):
        buffer = harfbuzz.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        harfbuzz.shape(SHAPERS[font], buffer)
        widest = max(widest, sum(position.x_advance for position in buffer.glyph_positions))
    return widest * 100 / font["head"].unitsPerEm


def widest_of(folder, marks):
    """Code point → the widest in a folder, the same inside a joined word, and what two whole families have."""
    table, joined, counts = {}, {}, defaultdict(int)
    for font in fonts_of(folder):
        large = len(font.getBestCmap() or {}) > 1500  # not one of the files that hold a part of a family
        widths, inside = measure(font, marks)
        for point, width in widths.items():
            table[point] = max(width, table.get(point, 0))
            joined[point] = max(inside.get(point, width), joined.get(point, 0))
            counts[point] += large
    return table, joined, {point for point, count in counts.items() if count > 1}


def ceil(width):
    return int(-(-round(width, 3) // 1))


class Properties:
    def __init__(self, path):
        self.ranges = json.loads(Path(path).read_text("utf-8"))

    def points(self, name):
        return {point for first, last in self.ranges[name] for point in range(first, last + 1)}


def column(own, fallback, bold_fallback, props):
    """The widths of one face for every code point below END."""
    emoji, unassigned, controls = props.points("Emoji"), props.points("gc_Unassigned"), props.points("gc_Control")
    widths = []
    for point in range(END):
        if within(point, INVISIBLE):
            widths.append(0)
            continue
        width = own.get(point, 0) * (MARGIN_ACCENTED if point > 0xFF else 1)
        other = fallback.get(point, 0)
        if bold_fallback is not None:
            other = max(bold_fallback.get(point, 0), 0 if point in bold_fallback else other * MARGIN_BOLD)
        # The stack's own fonts are seldom all there are for it beyond Latin, Greek and Cyrillic.
        if point >= 0x530 and not 0x1E00 <= point < 0x2000:
            width = max(width, other * (1 if 0x2E80 <= point < 0xD7B0 or point >= 0xF900 else MARGIN_FALLBACK))
        known = point in own or point in fallback
        if point in emoji and point > 0xFF:
            width = max(width, EMOJI)
        if not known or point in unassigned or not within(point, COMMON):
            width = max(width, TOFU if point < 0x10000 else TOFU_BEYOND)
        if point in (9, 10, 13):
            width = own[0x20]
        elif point in controls:
            width = TOFU
        widths.append(ceil(width))
    # A keycap's box around its digit; together they are an emoji.
    for point, width in {**SHAPED, 0x20E3: 90}.items():
        widths[point] = max(widths[point], width)
    return widths


def joined_column(measured, weight, widths, props):
    dual, before = props.points("Dual_Joining"), props.points("Right_Joining") | props.points("Join_Causing")
    tables = [measured[role, kind][1] for role in ("sans", "fallback") for kind in {"regular", weight}]
    found = []
    for point in range(JOINING.stop):
        width = max(table.get(point, 0) for table in tables) * MARGIN_FALLBACK
        if point in dual and width:
            found.append(min(max(2, ceil(width)), widths[point]))
        else:
            found.append(1 if point in dual or point in before else 0)
    return found


def grapheme_classes(props):
    """One letter a code point; graphemes.py says what they mean."""
    kinds = ["."] * 0xE1000

    def put(name, letter, only=None):
        for point in props.points(name):
            if point < len(kinds) and (only is None or kinds[point] in only):
                kinds[point] = letter

    put("Extended_Pictographic", "P")
    put("InCB_Consonant", "I")
    put("Control", "K")
    put("Extend", "M")
    put("InCB_Extend", "X", "M")
    put("InCB_Linker", "N", "M")
    for name, letter in (
        ("CR", "K"), ("LF", "K"), ("ZWJ", "Z"), ("Regional_Indicator", "R"), ("Prepend", "W"), ("SpacingMark", "S"),
        ("L", "L"), ("V", "V"), ("T", "T"), ("LV", "G"), ("LVT", "H"),
    ):  # fmt: skip
        put(name, letter)
    # The syllables alternate by rule: one LV and 27 LVT; text_fit knows it.
    for point in range(0xAC00, 0xD7A4):
        assert kinds[point] == ("H" if (point - 0xAC00) % 28 else "G")
        kinds[point] = "H"
    return kinds


def runs(values):
    parts, index = [], 0
    while index < len(values):
        end = index
        while end < len(values) and values[end] == values[index]:
            end += 1
        parts.append((values[index], end - index))
        index = end
    return parts


def pages(values, skip):
    """Page number → its runs as text, pages that are `skip` alone left out; alike pages share."""
    found = {}
    for page in range(0, len(values), 256):
        part = values[page : page + 256]
        if skip is not None and part == skip(page // 256):
            continue
        found[page // 256] = " ".join(run(*one) for one in runs(part))
    return found


def run(value, count):
    return f"{value}*{count}" if count > 1 else str(value)


def kind_runs(kinds):
    """Kind, first and how many, for every run that is not ordinary."""
    text, point = [], 0
    for kind, count in runs(kinds):
        if kind != ".":
            text.append(f"{kind}{point:X}+{count:X}" if count > 1 else f"{kind}{point:X}")
        point += count
    return text


def wrapped(items, width=114):
    lines, line = [], ""
    for item in items:
        if line and len(line) + 1 + len(item) > width:
            lines.append(line)
            line = item
        else:
            line = f"{line} {item}" if line else item
    return [*lines, line]


def print_pages(name, found, comment):
    print(f"\n# {comment}\n{name} = {{")
    for page, text in found.items():
        lines = wrapped(text.split(" "), 106)
        if len(lines) == 1:
            print(f'    0x{page:X}: "{lines[0]}",')
        else:
            print(f"    0x{page:X}: (")
            for number, line in enumerate(lines):
                print(f'        "{line}{"" if number == len(lines) - 1 else " "}"')
            print("    ),")
    print("}")


def families(folder):
    """Name and version of every family in a folder, once."""
    found = set()
    for font in fonts_of(folder):
        name = font["name"].getBestFamilyName() or ""
        version = (font["name"].getDebugName(5) or "").split(";")[0].removeprefix("Version ")
        found.add(f"{name} {version}".strip())
    return ", ".join(sorted(found))


def main():
    root, props = Path(sys.argv[1]), Properties(sys.argv[2])
    marks = props.points("gc_Nonspacing_Mark") | props.points("gc_Enclosing_Mark")
    measured = {
        (role, weight): widest_of(root / role / weight, marks)
        for role in ("sans", "mono", "fallback")
        for weight in ("regular", "semibold")
    }
    columns = {}
    for weight in ("regular", "semibold"):
        regular, heavy = measured["fallback", "regular"][0], measured["fallback", "semibold"][0]
        bold = heavy if weight == "semibold" else None
        sans = column(measured["sans", weight][0], regular, bold, props)
        own, _, covered = measured["mono", weight]
        own = {point: max(width, MONO_FLOOR) if width else 0 for point, width in own.items()}
        mono = column(own, regular, bold, props)
        for point in MONO_MARKS:  # in bold, a browser finds these in fonts that give them a cell of their own
            mono[point] = MONO_FLOOR if mono[point] == 0 and point != 0x34F else mono[point]
        # A monospaced font that lacks a character leaves it to a proportional one.
        mono = [m if p in covered or p < 0x180 else max(m, s) for p, (m, s) in enumerate(zip(mono, sans, strict=True))]
        columns["sans", weight], columns["mono", weight] = sans, mono
    print('"""How wide characters get and how they cluster: data, made by tests/tools/make_glyph_widths.py."""\n')
    print("# fmt: off")
    for role in ("sans", "mono"):
        for line in wrapped(f"Measured as {role}: {families(root / role / 'semibold')}.".split(" "), 116):
            print(f"# {line}")
    print(f'UNICODE = "{props.ranges["version"]}"\n')
    print("# Printable ASCII (U+0020 to U+007E), in hundredths of an em.")
    print("ASCII = {")
    for (name, weight), widths in columns.items():
        print(f'    ("{name}", "{weight}"): (')
        for line in wrapped([f"{width}," for width in widths[0x20:0x7F]], 100):
            print(f"        {line}")
        print("    ),")
    print("}")

    def unknown(page):
        return [TOFU if page < 0x100 else TOFU_BEYOND] * 256

    shared = {key: pages(values, unknown) for key, values in columns.items()}
    print_pages("SANS", shared["sans", "regular"], "Runs of widths, a page of 256 characters each.")
    for key, name, parent in (
        (("sans", "semibold"), "SANS_SEMIBOLD", ("sans", "regular")),
        (("mono", "regular"), "MONO", ("sans", "regular")),
        (("mono", "semibold"), "MONO_SEMIBOLD", ("sans", "semibold")),
    ):
        inherited = columns[parent]
        own_pages = pages(columns[key], lambda page, inherited=inherited: inherited[page * 256 : page * 256 + 256])
        print_pages(name, own_pages, f"The pages that differ from {' '.join(parent)}.")
    print("\n# Sans, the scripts that join: a letter's width inside a word, 1 for what only joins the letter before.")
    print("JOINED = {")
    for weight in ("regular", "semibold"):
        inside = joined_column(measured, weight, columns["sans", weight], props)
        print(f'    "{weight}": {{')
        for page in range(JOINING.start // 256, JOINING.stop // 256):
            lines = wrapped([run(*one) for one in runs(inside[page * 256 : page * 256 + 256])], 100)
            print(f"        0x{page:X}: (")
            for number, line in enumerate(lines, 1):
                print(f'            "{line}{"" if number == len(lines) else " "}"')
            print("        ),")
        print("    },")
    print("}")
    print("\n# Characters that are not ordinary for clustering: kind, first, +how many (one when absent), hexadecimal.")
    print("KINDS = (")
    for line in wrapped(kind_runs(grapheme_classes(props)), 106):
        print(f'    "{line} "')
    print(")")


if __name__ == "__main__":
    main()
