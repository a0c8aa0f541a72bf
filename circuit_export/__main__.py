"""`python -m circuit_export` is the `circuit` command."""

from circuit_export.cli import main

if __name__ == "__main__":
    main()
