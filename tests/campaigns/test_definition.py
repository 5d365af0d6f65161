"""What the file of a campaign may say, and how its flaws are told."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.campaigns.definition import CampaignScope, Definition
from archiver.acquisition.campaigns.queue import is_out_of_scope
from archiver.acquisition.campaigns.reading import read_campaign
from archiver.errors import FileFlaws
from archiver.urls import host_of

if TYPE_CHECKING:
    from pathlib import Path

FLOOD = b"""
campaign: elbe-flood-2026
about: Flood in the Elbe valley
languages: [de, cs]
time: {from: 2026-06-08, to: 2026-06-20, fade: 14d}
keywords:
  - Hochwasser
  - "Pegel Dresden"
  - {term: povode\xc5\x88, weight: 2, forms: [povodn\xc4\x9b, povodni]}
all_of: [[Elbe, Labe]]
none_of: [Hochwasserhose]
entities:
  - {name: Dresden, also: [Dr\xc3\xa1\xc5\xbe\xc4\x8fany], kind: place, weight: 1.5}
  - {name: Michael Kretschmer, also: [Kretschmer], needs: [Sachsen]}
examples:
  like: [https://www.example.org/a]
  unlike: [https://www.example.org/sport]
seeds: [https://papers.example/, {file: seeds.txt}]
apis:
  - {mastodon: dresden.network, tags: [hochwasser, elbe]}
  - {bluesky: {actors: [saechsische.de]}}
  - {mediawiki: https://de.wikipedia.org, search: Elbhochwasser 2026}
scope: {deny: ["*/login*"], hosts_deny: [x.example], per_host: 50}
budget: {requests: 20000, bytes: 5GB, days: 12}
explore: 0.1
"""

THESAURUS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<urn:1> skos:prefLabel "Flood"@en ; skos:narrower <urn:2> .
<urn:2> skos:prefLabel "Flash flood"@en , "Sturzflut"@de .
<urn:3> skos:prefLabel "Storm surge"@en ; skos:broader <urn:2> .
<urn:4> skos:prefLabel "Earthquake"@en .
"""


def test_everything_that_a_file_may_say_is_read(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("https://two.example/\n")
    read = read_campaign(FLOOD, "flood.yaml", tmp_path)
    said = read.definition
    assert read.seeds == ("https://papers.example/", "https://two.example/")
    assert said.time is not None
    assert (said.time.begin, said.time.fade) == (date(2026, 6, 8), timedelta(days=14))
    assert [one.weight for one in said.keywords] == [1, 1, 2]
    assert said.all_of == (("Elbe", "Labe"),)
    assert [api.kind for api in said.apis] == ["mastodon", "bluesky", "mediawiki"]
    assert said.apis[2].search == ("Elbhochwasser 2026",)
    assert (said.apis[0].place, said.apis[1].place) == ("dresden.network", "")
    assert said.budget.bytes == 5_000_000_000


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("keyword: [Elbe]", "f.yaml:4:1: The key keyword is not known here: did you mean keywords?"),
        ("time: {from: 2026-06-20, to: 2026-06-08}", "is after 2026-06-08"),
        ("time: {from: June}", "f.yaml:4:14: June is not a day: write it as 2026-06-08"),
        ("explore: 8", "8 is not a share"),
        ("budget: {bytes: lots}", "lots is not a size"),
        ("keywords: [the]", "the says nothing of a page"),
        ("apis: [{tags: [a]}]", "An API is of one service: write one of mastodon"),
        ("budget: {requests: 0}", "0 is too few"),
        ("examples: {like: [example.org]}", "no scheme"),
        ("seeds: [{}]", "A seed is an address or a file"),
        ("narrower: missing.ttl", "missing.ttl cannot be read"),
        (r'narrower: "a\0.ttl"', "cannot be read: embedded null byte"),
        ("narrower: latin.nt", "latin.nt"),
        ("time: {to: 9999-12-31}", "9999-12-31 is too far away"),
        ("feeds: {until: 9999-12-31}", "9999-12-31 is not an end"),
        ("budget: {days: 999999999}", "f.yaml:4:16: 999999999 is too many"),
        ("budget: {bytes: 0}", "f.yaml:4:17: 0 is too few"),
        ("scope: {depth_off_topic: -1}", "-1 is too few"),
        ("languages: [en, english]", "f.yaml:4:17: english is not a language: write its code"),
        ("languages: ['']", "Nothing is not a language"),
        ("scope: {hosts_deny: [x.com, 'https://y.com/']}", "f.yaml:4:29: https://y.com/ is not a host"),
        ("scope: {hosts_deny: ['*.y.com']}", "*.y.com is not a host: write x.com"),
    ],
)
def test_flaws_are_told_with_their_line(tmp_path: Path, line: str, told: str) -> None:
    text = f"campaign: a\nabout: Flood\n{'' if 'seeds' in line else 'seeds: [https://a.example/]'}\n{line}\n"
    (tmp_path / "latin.nt").write_bytes('<urn:1> <urn:2> "Übel" .\n'.encode("latin-1"))
    with pytest.raises(FileFlaws) as caught:
        read_campaign(text.encode(), "f.yaml", tmp_path)
    assert told in str(caught.value)
    assert "f.yaml:" in str(caught.value)


@pytest.mark.parametrize("name", ["x.com", "X.com", "[2001:db8::1]", "Bücher.example"])
def test_hosts_are_denied_however_they_are_written(name: str) -> None:
    said = Definition(campaign="a", scope=CampaignScope(hosts_deny=(name,)))
    urls = ["https://x.com/", "http://www.x.com/a", "http://[2001:db8::1]/", "http://xn--bcher-kva.example/"]
    assert sum(is_out_of_scope(url, host_of(url), said) for url in urls) == (2 if "com" in name else 1)
    assert not is_out_of_scope("https://yx.com/", "yx.com", said)


def test_a_campaign_says_what_it_is_about_and_where_it_begins(tmp_path: Path) -> None:
    with pytest.raises(FileFlaws) as caught:
        read_campaign(b"campaign: No Name\n", "f.yaml", tmp_path)
    told = str(caught.value)
    assert "is not a name of a campaign" in told
    assert "does not say what it is about" in told
    assert "nothing to begin with" in told


def test_narrower_terms_are_those_below_the_keywords(tmp_path: Path) -> None:
    (tmp_path / "floods.ttl").write_text(THESAURUS)
    text = (
        b"campaign: a\nlanguages: [en]\nkeywords: [flood]\nnarrower: floods.ttl\nseeds: https://a.example/\n"
    )
    read = read_campaign(text, "f.yaml", tmp_path)
    assert read.narrower == ("Flash flood", "Storm surge")


def test_another_thesaurus_is_another_revision(tmp_path: Path) -> None:
    text = b"campaign: a\nkeywords: [flood]\nnarrower: floods.ttl\nseeds: https://a.example/\n"
    (tmp_path / "floods.ttl").write_text(THESAURUS)
    before = read_campaign(text, "f.yaml", tmp_path).digest
    (tmp_path / "floods.ttl").write_text(
        THESAURUS + '<urn:5> skos:prefLabel "Tsunami" ; skos:broader <urn:1> .'
    )
    assert read_campaign(text, "f.yaml", tmp_path).digest != before
