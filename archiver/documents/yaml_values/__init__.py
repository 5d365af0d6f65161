"""YAML that people write, as values: flaws have a line and a column, and nothing can hang a process.

`read_yaml` is the one way to read such a file. What a text means is decided by the type that is wanted
there and not by YAML: `on` is a key and `no` a word where a text is wanted.
"""
