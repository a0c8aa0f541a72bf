"""The README's generated parts: python tests/support/readme.py writes the commands' help into it."""

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"
_SECTION = re.compile(r"(<!-- help: (?P<command>[\w -]+) -->\n).*?(<!-- /help -->)", re.DOTALL)


def help_of(command: str) -> str:
    """The help text of a command, as on a terminal of 100 columns."""
    ended = subprocess.run(
        [sys.executable, "-m", "circuit_export", *command.split(), "--help"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"COLUMNS": "100", "PYTHONUTF8": "1", "TERMINAL_WIDTH": "100"},
        check=True,
    )
    return ended.stdout.replace("python -m circuit_export", "circuit")


def with_help(text: str) -> str:
    """The README's text with the help of each command that it shows."""
    return _SECTION.sub(
        lambda match: (
            f"{match[1]}<details><summary><code>circuit {match['command']} --help</code></summary>\n\n"
            f"```text\n{help_of(match['command'])}```\n\n</details>\n{match[3]}"
        ),
        text,
    )


def shell_blocks(text: str) -> list[str]:
    """The shell commands that it shows, a block each."""
    return re.findall(r"```sh\n(.*?)```", text, re.DOTALL)


def python_blocks(text: str) -> list[str]:
    """The Python that it shows."""
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


if __name__ == "__main__":
    README.write_text(with_help(README.read_text("utf-8")), "utf-8", newline="\n")
