"""Gaps: what a feed published and took down between two polls, noticed and gone back for."""
