"""Commands that only sleep, told apart from those of every other run of the tests on the same machine.

A nap is written as `sleep 73101` (or `"sleep" "73101"` in a program); `mine` makes it a fraction longer, by which
`napping` finds it again.
"""

import os
import re
import subprocess

_NAP = re.compile(r'(sleep"? "?)(\d{4,})')


def mine(text: str) -> str:
    """A text whose naps are those of this process."""
    return _NAP.sub(rf"\g<1>\g<2>.{os.getpid()}", text)


def napping(nap: str) -> list[str]:
    """The processes of this process's tests that take naps which begin as `nap` does, such as `sleep 7310`."""
    listed = subprocess.run(["ps", "-eo", "stat=,args="], capture_output=True, text=True, check=True).stdout
    marker = re.compile(rf"{nap}\d*\.{os.getpid()}(?!\d)")
    return [line for line in listed.splitlines() if marker.search(line) and not line.startswith("Z")]
