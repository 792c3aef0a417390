"""`python -m interpreter` is the command `umpire`."""

from interpreter.surfaces.cli import main

if __name__ == "__main__":
    main()
