"""Where there is no shell, the tests that start commands are not collected."""

import os

collect_ignore = (
    [] if os.name == "posix" else ["test_runner.py", "test_conformance.py", "test_leftovers.py", "test_performing.py"]
)
