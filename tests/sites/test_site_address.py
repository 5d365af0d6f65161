"""How the address of a site is written, and which cannot be one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.scope import site_address
from archiver.errors import ConfigurationError
from archiver.spiders.site import SiteSpider, addresses_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("http://blog.example", "http://blog.example/"),
        (" http://blog.example/ ", "http://blog.example/"),
        ("http://blog.example?page=2", "http://blog.example/?page=2"),
        ("https://blog.example/de", "https://blog.example/de"),
        ("http://blog.example/#top", "http://blog.example/"),
    ],
)
def test_a_site_has_one_address_however_it_is_typed(typed: str, known: str) -> None:
    assert site_address(typed) == known


@pytest.mark.parametrize(
    "typed", ["", "blog.example", "/etc/hostname", "file:///etc/hostname", "http://a b/"]
)
def test_what_cannot_be_asked_for_is_refused(typed: str) -> None:
    with pytest.raises(ConfigurationError):
        site_address(typed)


def test_addresses_are_typed_or_stand_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my sites.txt").write_text("# two\nhttp://a.example\n\n http://b.example/ \n", "utf-8-sig")
    assert addresses_of("my sites.txt") == ["http://a.example/", "http://b.example/"]
    (tmp_path / "one.txt").write_text("http://c.example/\n")
    assert addresses_of("http://a.example,one.txt") == ["http://a.example/", "http://c.example/"]
    assert addresses_of("") == []


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("wrong.txt", r"wrong\.txt:2: .*nonsense"),
        ("latin.txt", r"latin\.txt is not a text file in UTF-8"),
        ("empty.txt", r"empty\.txt has no address in it"),
        ("stes.txt", r"if a file is meant, there is none called stes\.txt"),
        ("h" * 300, "not a URL"),
    ],
)
def test_a_mistake_in_a_list_of_sites_is_told_with_its_place(
    typed: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.txt").write_text("http://a.example/\nnonsense\n")
    (tmp_path / "latin.txt").write_bytes(b"http://caf\xe9.example/\n")
    (tmp_path / "empty.txt").write_text("# none yet\n")
    with pytest.raises(ConfigurationError, match=told):
        addresses_of(typed)


@pytest.mark.parametrize("limit", ["0", "0.5", "-3", "many", "nan"])
def test_a_limit_is_a_whole_number_of_requests(limit: str) -> None:
    with pytest.raises(ConfigurationError, match="above 0"):
        SiteSpider(limit=limit)
