"""Memento (RFC 7089): the captures of an address as mementos, the nearest to a time, TimeMaps."""
