"""Addresses that lead nowhere: how they are told from pages, before and after a few were asked for."""
