"""`python -m archiver` is the program `archiver`."""

from archiver.command_line.program import main

if __name__ == "__main__":
    main()
