"""WACZ: a part of the archive in one file that can be shared and replayed, as version 1.1.1 has it."""
