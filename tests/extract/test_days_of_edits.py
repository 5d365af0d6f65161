"""A day on which a page was last edited is never the day of its publication."""

from __future__ import annotations

from datetime import UTC, date, datetime
from time import process_time

import pytest

from archiver.articles.metadata.edit_dates import EDITED as EDIT
from archiver.articles.metadata.edit_dates import STEMS
from archiver.documents.times.model import What
from tests.extract.test_metadata import linked, metadata

EDITED = [
    "<footer><ul><li id='lastmod'>This page was last edited on 3 March 2024, at 10:15.</li></ul></footer>",
    "<div class='docInfo'>ferry.txt · Last modified: 2024/03/03 10:15 by ann</div>",
    "<p class='date'>Last updated on 2024-03-03</p>",
    "<p>Last edited on <time datetime='2024-03-03T10:15:00Z'>3 March 2024</time></p>",
    "<p>Updated: <span class='date'>2024-03-03</span></p>",
    "<p class='last-modified'><time datetime='2024-03-03T10:15:00Z'>3 March 2024</time></p>",
    "<time class='updated' datetime='2024-03-03T10:15:00Z'>3 March 2024</time>",
    "<time itemprop='dateModified' datetime='2024-03-03T10:15:00Z'>3 March 2024</time>",
    "<div id='footer'>Zuletzt bearbeitet am 3. März 2024 um 10:15 Uhr</div>",
    "<div id='footer'>Letzte Änderung: 03.03.2024</div>",
    "<div class='date'>Dernière modification le 3 mars 2024</div>",
    "<div class='date'>Última modificación: 2024-03-03</div>",
    "<div class='date'>最終更新 2024-03-03</div>",
]


@pytest.mark.parametrize("line", EDITED)
def test_day_of_the_last_edit_is_not_that_of_publication(line: str) -> None:
    found = metadata(body=f"<h1>The ferry</h1><p>It sails again.</p>{line}")
    assert (found.published, found.published_day) == (None, None)
    assert [one for one in found.dated if one.what is What.PUBLISHED] == []


@pytest.mark.parametrize("line", EDITED)
def test_day_of_publication_beside_it_is_found(line: str) -> None:
    written = "<p class='date'>Published on <time datetime='2024-02-01T08:00:00Z'>1 February 2024</time></p>"
    found = metadata(body=f"<h1>The ferry</h1>{written}<p>It sails again.</p>{line}")
    assert found.published_day == date(2024, 2, 1)
    assert found.published == datetime(2024, 2, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    "head",
    [
        "<meta property='article:modified_time' content='2024-03-03T10:15:00Z'>",
        "<meta property='og:updated_time' content='2024-03-03T10:15:00Z'>",
        "<meta name='last-modified' content='2024-03-03'>",
        "<meta http-equiv='Last-Modified' content='2024-03-03'>",
        "<meta itemprop='dateModified' content='2024-03-03'>",
        linked(**{"@type": "Article", "dateModified": "2024-03-03"}),
    ],
)
def test_what_agrees_with_the_day_of_the_last_edit_makes_it_no_day_of_publication(head: str) -> None:
    line = EDITED[0]
    found = metadata(head, f"<h1>The ferry</h1><p>It sails again.</p>{line}")
    assert found.published_day is None
    assert {(one.what, one.day) for one in found.dated} == {(What.MODIFIED, date(2024, 3, 3))}


def test_words_of_the_article_about_an_update_hide_no_day_behind_them() -> None:
    line = "<p class='date'>Last updated 3 March 2024. Published 2024-02-01</p>"
    assert metadata(body=f"<h1>The ferry</h1>{line}").published_day == date(2024, 2, 1)
    line = "<time class='published updated' datetime='2024-02-01T08:00:00Z'>1 February 2024</time>"
    assert metadata(body=f"<h1>The ferry</h1>{line}").published_day == date(2024, 2, 1)


@pytest.mark.parametrize(
    "text",
    [
        " " * 50_000,
        f"updated{' ' * 50_000}é",
        f"updated{'.' * 50_000}x",
        f"update{' ' * 50_000}({' ' * 50_000}x",
        f"update({'a' * 50_000}{' ' * 50_000}x",
    ],
    ids=["white space", "behind a word", "dots", "around a bracket", "behind letters"],
)
def test_long_runs_take_no_time(text: str) -> None:
    began = process_time()
    assert EDIT.search(text) is None
    # Half a second where each character is looked at once; a minute where each run is tried from each place.
    assert process_time() - began < 5


@pytest.mark.parametrize(
    "words",
    [
        "last edited",
        "Latest update",
        "recently modified",
        "LAST CHANGED",
        "last revision",
        "last reviewed",
        "last touched",
        "last saved",
        "Updated: 3",
        "modified on",
        "edited by",
        "Revised 3",
        "reviewed at",
        "Date modified",
        "Update: 3",
        "Update (Mar. 3",
        "Zuletzt bearbeitet",
        "letztmals geändert",
        "Letzte Änderung",
        "letzte Bearbeitung",
        "Letzte Aktualisierung",
        "Aktualisiert",
        "geändert am",
        "geaendert am",
        "Stand: 3",
        "Dernière modification",
        "derniere mise à jour",
        "mis à jour",
        "Mise a jour",
        "modifié le",
        "Actualisé",
        "Última modificación",
        "ultima edicion",
        "última atualização",
        "Actualizado",
        "editado por última",
        "Atualizada",
        "modificado el",
        "modificato il",
        "ultimo aggiornamento",
        "Aggiornata",
        "Laatst bewerkt",
        "laatste wijziging",
        "bijgewerkt",
        "gewijzigd op",
        "geüpdatet",
        "geupdate",
        "Последнее изменение",
        "обновлено",
        "изменено",
        "最终更新",
        "最終更新",
        "最后编辑",
        "最後修改",
        "更新日",
        "更新時間",
        "마지막 수정",
        "최종 수정",
    ],
)
def test_stems_stand_in_all_words_of_edits(words: str) -> None:
    found = EDIT.search(words)
    assert found is not None
    assert any(stem in found.group().lower() for stem in STEMS)
