"""Captures made fit to be shown: pages without scripts, with the styles and images that the archive kept."""
