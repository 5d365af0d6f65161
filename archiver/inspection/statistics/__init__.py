"""Figures over the archive for people: the tables and plots of the first study of Web feeds."""
