"""Expressions that say where something stands on a page: a safe fragment of XPath, with `tag.class`.

`parse` reads one, `select` finds what it means in a document, `str` prints it back. Knowledge of sites,
wrappers, campaigns and forms use the same language: docs/knowledge.md has it. Nothing that is accepted here
can take longer than its budget, since no expression is ever given to libxml2.
"""
