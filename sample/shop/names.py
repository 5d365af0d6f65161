"""The words of which the shop's books are made up."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST_NAMES = _words(
    """
    Ada Albert Alma Anders Anselm Anton Beatrix Benno Bruno Carla Caspar Cecily Clara Conrad
    Cornelia Dagmar Daniel Dorothea Edgar Edith Elias Elsa Emil Emma Erik Ernst Eva Felix Flora
    Franz Frieda Gerda Greta Gustav Hanna Harald Hedda Heinrich Helene Henrik Hilda Hugo Ida Ilse
    Ines Ingrid Irma Isak Ivan Jakob Johanna Jonas Josef Julia Karin Karl Katja Klara Konstantin
    Lars Lena Leo Linus Lotte Ludwig Magda Magnus Maja Marga Marius Martha Matthias Max Mina Miriam
    Moritz Nadja Nils Nora Olga Oskar Otto Paula Per Peter Petra Philip Quentin Rahel Robert Rosa
    Rudolf Ruth Selma Sigrid Simon Sofia Stefan Sven Tekla Theodor Tilda Tobias Ulrich Ursula
    Valentin Vera Viktor Viola Walter Wanda Wilma Xaver Yvonne Zeno
    """
)
_LAST_BEGINNINGS = _words(
    """
    Ahl Alder Amber Asch Bach Baum Berg Birk Blei Blom Bohn Brand Brück Buch Dahl Dorn Eber Eck Eich
    Eisen Falk Feld Fink Föhr Frost Gold Grau Grön Hain Hammer Hart Hass Heid Hell Herb Hirsch Hoch
    Holm Horn Jung Kalt Kamm Kess Kern Kirch Klar Kopp Korn Kraus Lang Lauter Lind Löw Lund Mahl
    Mark Meer Moos Mühl Nacht Nord Oster Pfeil Quell Rabe Rein Ritter Rosen Roth Sand Schill Schnee
    Silber Sommer Stahl Stein Stern Storm Tann Thal Thor Traub Ull Voss Wald Wasser Weiss Wend
    Wester Wild Winter Wolf Zander Ziegel
    """
)
_LAST_ENDINGS = ("", "berg", "mann", "qvist", "stein", "hagen", "feld", "er", "sen", "bach", "dorf", "wig")
LAST_NAMES = tuple(begin + end for begin in _LAST_BEGINNINGS for end in _LAST_ENDINGS)
ADJECTIVES = _words(
    """
    Silent Hidden Golden Broken Distant Narrow Bitter Early Empty Foreign Gentle Hollow Iron Last
    Late Little Long Lost Northern Old Pale Patient Quiet Red Restless Salt Second Secret Short Slow
    Small Southern Stolen Strange Sudden Tall Thin Third Unseen Upper Wandering Warm Western White
    Wild Winter Wooden Young Blue Black Crooked Deep Eastern Fallen First Frozen Grey Green High
    Inner Open Bright Burning Forgotten
    """
)
NOUNS = _words(
    """
    Harbour Lighthouse Garden River Bridge Winter Orchard Letter Mirror Island Clock Mountain Ferry
    Tower Window Road Village Forest Station Lantern Atlas Bakery Balcony Barn Beacon Bell Boat
    Candle Canal Castle Cathedral Cellar Chapel Chimney Circus Cliff Cloud Coast Compass Corridor
    Courtyard Crane Desert Diary Door Dragon Dream Engine Falcon Feather Field Fire Fjord Flood
    Fortress Fountain Fox Gate Glacier Hammer Heron Hill Horizon Horse Hotel House Key Kitchen
    Ladder Lake Lamp Library Map Market Meadow Mill Mine Moon Museum Needle Night Oak Ocean Oracle
    Painter Palace Paper Path Pilot Pond Prison Quarry Railway Rain Raven Ribbon Roof Rope Sail
    School Sea Shadow Shell Ship Shore Snow Song Spring Square Stair Star Stone Storm Stranger
    Street Summer Swan Table Thread Tide Train Tree Tunnel Valley Violin Voyage Wall Watch Weaver
    Well Whale Wind Wolf Wood Workshop Yard
    """
)
SUBJECTS = _words(
    """
    Glass Trade Music Weather Language Numbers Silence Bread Salt Ships Maps Memory Colour Bees
    Trees Birds Wine Clocks Law Money Medicine Stars Rivers Cities Light Shadows Voices Horses
    Bridges Winters Names Games Dreams Engines Paper Silk Iron Coffee Tea Gardens Mountains Oceans
    Prisons Railways Roads Schools Songs
    """
)
KINDS = _words(
    """
    History Introduction Study Companion Handbook Theory Story Chronicle Anatomy Grammar Journal
    Guide Portrait Defence Geography Philosophy Almanac Inventory
    """
)
PLACES = _words(
    """
    Ardmoor Bellhaven Corvin Dunmere Eastwick Fenmarch Greystone Hollin Ivarsund Kelm Lorne Marrow
    Norrby Ostrava Pellworm Quarley Ravensund Selby Tarnow Ulmen Vardo Westerby Yarrow Zelm
    """
)
PUBLISHERS = (
    "Albatross Press", "Amber House", "Beacon Books", "Blackthorn", "Corner Press", "Delta Verlag",
    "Evergreen Editions", "Falcon & Sons", "Granite Press", "Harbour Books", "Inkwell", "Juniper Editions",
    "Kestrel House", "Lantern Press", "Meridian", "North Quay", "Old Mill Press", "Parchment",
    "Quill & Crown", "Riverside Editions", "Saltmarsh", "Tall Ship Books", "Umbra Verlag", "Violet Press",
    "Willow & Co", "Yellow Door", "Zenith Books", "Cobalt Editions", "Driftwood", "Elm Street Press",
)  # fmt: skip
CATEGORIES = (
    "Novels", "Poetry", "Mystery", "Biography", "Travel", "Science", "Cooking", "Children", "Art",
    "Philosophy", "Politics", "Nature",
)  # fmt: skip
LANGUAGES = ("English", "German", "Danish", "Polish")
