"""The program `archiver`: its commands, its help, and the files and variables that its settings come from."""
