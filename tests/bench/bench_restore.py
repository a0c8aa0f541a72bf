"""Prints how long restoring takes: whole pages of growing size, pages that were rewritten, and hostile texts.

    python tests/bench/bench_restore.py [MEGABYTES]

The hostile texts have so many megabytes (4 unless told); seconds are of processor time.
"""

import html
import json
import sys
import time
from hashlib import sha256

from circuit_export import formats
from circuit_export.restore import find

BLOCK = f'<pre id="circuit-workflow" data-format="steps" data-sha256="{"0" * 64}">'
HOSTILE = [
    "<pre ", "<a ", "<!--", "{", '{"a":', '{"a":1}', "[", "&#", "&amp;", "```\n", "circuit-workflow", '"\\', "> x\n",
    "<iframe srcdoc='", "data:,", "=3D", BLOCK, BLOCK + "x</pre>",
]  # fmt: skip


def page(steps: int) -> str:
    text = json.dumps(
        {
            "circuit": 1,
            "name": "Chain",
            "steps": [
                {
                    "id": f"s{n}",
                    "type": "tool.call",
                    "title": f"Step {n} é",
                    "config": {"tool": "Mail:search"},
                    "next": [],
                }
                for n in range(steps)
            ],
        },
        indent=1,
        ensure_ascii=False,
    )
    tag = f'<pre id="circuit-workflow" data-format="steps" data-sha256="{sha256(text.encode()).hexdigest()}">'
    return (
        f"<!doctype html><html><body>{'<p>chip</p>' * steps}{tag}\n{html.escape(text, quote=False)}</pre></body></html>"
    )


def row(name: str, source: str) -> None:
    start = time.process_time()
    found = find(source, formats.recognise, limit=len(source)).found
    seconds = time.process_time() - start
    print(f"{name:<44} {len(source):>12,} {seconds:>9.3f} s  {found[0].digest if found else 'nothing found'}")


def main() -> None:
    size = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 4_000_000
    for steps in (10, 100, 1_000, 10_000):
        whole = page(steps)
        row(f"page of {steps:,} steps", whole)
        row("  with non-breaking indentation", whole.replace("\n ", "\n&nbsp;"))
        row("  with markup inside", whole.replace('"id"', "<b>&quot;id&quot;</b>"))
        row("  as a string of JSON", json.dumps({"html": whole}))
    for unit in HOSTILE:
        row(f"{unit[:36]!r} again and again", unit * (size // len(unit)))


if __name__ == "__main__":
    main()
