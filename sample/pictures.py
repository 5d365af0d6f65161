"""Pictures that the sites show: a landscape for each name, the same at every request."""

from __future__ import annotations

import hashlib
import math
import struct
import zlib
from functools import lru_cache

WIDTH, HEIGHT = 320, 180
_SKIES = ((214, 228, 240), (244, 223, 200), (205, 220, 210), (226, 214, 232))
_HILLS = ((96, 125, 109), (110, 100, 120), (84, 112, 140), (140, 112, 84))


@lru_cache(maxsize=256)
def picture(name: str) -> bytes:
    """A PNG of hills under a sky with a sun."""
    seed = hashlib.sha256(name.encode()).digest()
    ridges = [[_ridge(seed[place : place + 3], x, place) for x in range(WIDTH)] for place in (0, 3, 6)]
    sun = (40 + seed[9] % (WIDTH - 80), 25 + seed[10] % 40)
    rows = b"".join(b"\0" + bytes(_pixel(x, y, ridges, sun) for x in range(WIDTH)) for y in range(HEIGHT))
    return _png(_palette(seed), rows)


def _ridge(seed: bytes, x: int, place: int) -> float:
    wave = math.sin(x / (30 + seed[0] / 4) + seed[1]) + 0.4 * math.sin(x / (9 + seed[2] / 16))
    return HEIGHT * (0.45 + place / 15) + 18 * wave


def _pixel(x: int, y: int, ridges: list[list[float]], sun: tuple[int, int]) -> int:
    """The colour: a hill, the nearest in front, else the sun or the sky, lighter further down."""
    for colour, ridge in ((4, ridges[2]), (3, ridges[1]), (2, ridges[0])):
        if y > ridge[x]:
            return colour
    return 1 if (x - sun[0]) ** 2 + (y - sun[1]) ** 2 < 200 else 0


def _palette(seed: bytes) -> bytes:
    sky, hill = _SKIES[seed[11] % len(_SKIES)], _HILLS[seed[12] % len(_HILLS)]
    shades = [tuple(int(value * part) for value in hill) for part in (1.3, 1.0, 0.7)]
    return bytes(value for colour in (sky, (255, 246, 214), *shades) for value in colour)


def _png(palette: bytes, rows: bytes) -> bytes:
    size = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", size), (b"PLTE", palette), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
