"""Knowledge of the software behind sites: how to recognise it, where to go, what to take, what to avoid.

It is written by people, as YAML: a file for each application. docs/knowledge.md has the schema.
"""

# In the setting SITE_KNOWLEDGE: the files that come with the archiver.
BUILTIN = "builtin"
