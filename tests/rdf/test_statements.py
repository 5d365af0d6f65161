"""What objects say, as statements: the nodes, their names, and values with their types."""

from __future__ import annotations

import msgspec
import pyoxigraph
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from archiver.articles.contributions.model import contribution_id
from archiver.articles.objects.model import article_id
from archiver.inspection.rdf.lines import ArticleLine, ContributionLine
from archiver.inspection.rdf.mapping import NODES, expanded, shortened_name
from archiver.inspection.rdf.statements import LineStatements, node_of
from archiver.lexicon.vocabularies import PREFIXES
from archiver.urls import same_page_key
from tests.history.made import HOUR, START
from tests.rdf.made import RdfArchive, comment, withheld

# rdflib warns of itself.
pytestmark = pytest.mark.filterwarnings("ignore:Dataset.* is deprecated:DeprecationWarning")

URL = "http://example.org/one"
ARTICLE = rdflib.URIRef(f"urn:archiver:article:{article_id(same_page_key(URL))}")
VERSION = rdflib.URIRef(f"urn:archiver:version:{article_id(same_page_key(URL))}:1")
SECOND = rdflib.URIRef(f"urn:archiver:version:{article_id(same_page_key(URL))}:2")


def name(short: str) -> rdflib.URIRef:
    return rdflib.URIRef(expanded(short))


def graph(archive: RdfArchive, **other: object) -> rdflib.Graph:
    return rdflib.Graph().parse(data=archive.exported("turtle", **other), format="turtle")  # type: ignore[arg-type]


def test_a_version_is_told_with_its_article_account_channel_and_capture(archive: RdfArchive) -> None:
    archive.add("one", "The ferry.", authors=("Ann",), language="en_GB", title="News", channel_title="Shore")
    found = graph(archive)
    assert found.value(VERSION, name("dcterms:isVersionOf")) == ARTICLE
    assert found.value(VERSION, name("schema:headline")) == rdflib.Literal("News", lang="en-gb")
    assert found.value(VERSION, name("schema:text")) == rdflib.Literal("The ferry.", lang="en-gb")
    published = found.value(VERSION, name("schema:datePublished"))
    assert published == rdflib.Literal("2026-03-02T07:00:00Z", datatype=name("xsd:dateTime"))
    assert set(found.objects(ARTICLE, name("rdf:type"))) == {name("schema:Article"), name("sioc:Post")}
    assert found.value(ARTICLE, name("schema:url")) == rdflib.URIRef(URL)
    account = found.value(ARTICLE, name("sioc:has_creator"))
    assert account == found.value(VERSION, name("schema:author"))
    assert found.value(account, name("schema:name")) == rdflib.Literal("Ann")
    channel = found.value(ARTICLE, name("sioc:has_container"))
    assert (channel, found.value(channel, name("schema:name"))) == (
        rdflib.URIRef("http://example.org/feed"),
        rdflib.Literal("Shore"),
    )
    capture = found.value(VERSION, name("schema:archivedAt"))
    assert found.value(capture, name("prov:hadPrimarySource")) == rdflib.URIRef(URL)
    assert found.value(capture, name("archiver:warcFile")) == rdflib.Literal("a.warc.gz")


def test_a_version_replaces_the_one_before(archive: RdfArchive) -> None:
    number = archive.add("one", "The ferry.")
    archive.say(number, "The second ferry.", at=START + HOUR)
    found = graph(archive)
    assert list(found.subject_objects(name("dcterms:replaces"))) == [(SECOND, VERSION)]


def test_the_same_name_on_two_hosts_is_two_accounts() -> None:
    one, other = (
        msgspec.json.decode(
            msgspec.json.encode(
                {
                    "id": "a", "url": f"http://{host}/", "version": 1, "first_seen": START, "captured": START,
                    "change": {"kinds": ["new"]}, "authors": ["Ann  Lee", "Ann Lee"],
                    "warc": {"file": "f", "offset": 1, "record_id": "<urn:uuid:1>"}
                    | {"capture_id": "<urn:uuid:2>"},
                }
            ),
            type=ArticleLine,
        )
        for host in ("a.example", "b.example")
    )  # fmt: skip
    accounts = [{line.account(author).node for author in line.authors} for line in (one, other)]
    assert [len(some) for some in accounts] == [1, 1]
    assert accounts[0] != accounts[1]
    told = set(map(str, LineStatements().of(one)))
    assert "<urn:uuid:2> <http://www.w3.org/ns/prov#wasDerivedFrom> <urn:uuid:1>" in told


def test_quads_are_in_the_graph_of_the_version_that_says_them(archive: RdfArchive) -> None:
    number = archive.add("one", "The ferry.")
    archive.say(number, "The second ferry.", at=START + HOUR)
    dataset = rdflib.Dataset().parse(data=archive.exported(), format="nquads")
    graphs = {one.identifier for one in dataset.graphs() if len(one)}
    assert graphs == {VERSION, SECOND}
    assert (ARTICLE, name("schema:url"), rdflib.URIRef(URL)) in dataset.graph(SECOND)


def test_comments_answer_each_other_and_their_article(archive: RdfArchive) -> None:
    archive.comment(
        "one",
        comment("c1", "First!", author="Ann", author_url="http://ann.example/"),
        comment("c2", "No.", author="Bo", parent="c1", url=f"{URL}#c2"),
    )
    found = graph(archive)
    first, second = (
        rdflib.URIRef(
            f"urn:archiver:contribution:{contribution_id(article_id(same_page_key(URL)), 'comment', key)}"
        )
        for key in ("c1", "c2")
    )
    assert set(found.objects(first, name("rdf:type"))) == {name("schema:Comment"), name("sioc:Post")}
    assert found.value(first, name("sioc:reply_of")) == ARTICLE
    assert found.value(second, name("sioc:reply_of")) == first
    assert {found.value(one, name("schema:about")) for one in (first, second)} == {ARTICLE}
    account = found.value(first, name("sioc:has_creator"))
    assert found.value(account, name("schema:url")) == rdflib.URIRef("http://ann.example/")
    (version,) = found.subjects(name("dcterms:isVersionOf"), second)
    assert found.value(version, name("schema:text")) == rdflib.Literal("No.")


def test_what_is_withheld_is_not_told(archive: RdfArchive) -> None:
    archive.add("one", "The ferry.", authors=("Ann",))
    archive.add("two", "A boat.")
    archive.comment("one", comment("c1", "First!", author="Bo"))
    told = archive.exported(withheld=withheld(URL)).decode()
    assert "ferry" not in told
    assert "First!" not in told
    assert "example.org/one" not in told
    assert "A boat." in told
    # Of the others, nothing that names an address that is withheld.
    told = archive.exported(withheld=withheld("http://example.org/feed")).decode()
    assert "example.org/feed" not in told
    assert "The ferry." in told


def test_channels_and_times_choose(archive: RdfArchive) -> None:
    archive.add("one", "The ferry.", channel=1)
    archive.add("two", "A boat.", channel=2, at=START + HOUR)
    archive.comment("one", comment("c1"))
    texts = [b"The ferry.", b"A boat.", b"First!"]
    assert [one in archive.exported(channels=frozenset({2})) for one in texts] == [False, True, False]
    assert [one in archive.exported(since=START + HOUR) for one in texts] == [False, True, False]
    assert [one in archive.exported(until=START) for one in texts] == [True, False, True]


def test_an_address_that_is_none_is_kept_as_text() -> None:
    assert str(node_of("http://example.org/a b[1]?x=%zz|<y>")) == (
        "<http://example.org/a%20b%5B1%5D?x=%25zz%7C%3Cy%3E>"
    )
    assert str(node_of("http://[::1")) == f'"http://[::1"^^<{PREFIXES["xsd"]}anyURI>'


def test_names_are_short_and_long() -> None:
    for made in NODES.values():
        for row in made.statements:
            assert shortened_name(expanded(row.predicate)) == row.predicate


def test_every_field_of_the_table_is_one_that_lines_have() -> None:
    said = {
        "article": ArticleLine, "version of an article": ArticleLine, "channel": ArticleLine,
        "contribution": ContributionLine, "version of a contribution": ContributionLine,
    }  # fmt: skip
    for kind, line in said.items():
        for row in NODES[kind].statements:
            assert hasattr(line, row.field.partition(".")[0]), row


# Whatever pages and feeds say; JSON has no halves of characters, and rows of the store none either.
_TEXT = st.text(max_size=12)
_ADDRESS = st.one_of(
    _TEXT, st.builds("http://{}/{}".format, _TEXT, _TEXT), st.builds("http://a.b/{}".format, _TEXT)
)


@settings(max_examples=150)
@given(text=_TEXT, language=_TEXT, author=_TEXT, links=st.lists(_ADDRESS, max_size=3), channel=_ADDRESS)
def test_others_can_parse_whatever_is_said(
    text: str, language: str, author: str, links: list[str], channel: str
) -> None:
    line = msgspec.convert(
        {
            "id": "a", "url": links[0] if links else "http://example.org/", "version": 1, "first_seen": START,
            "captured": START, "change": {"kinds": ["new"]}, "title": text, "text": text,
            "language": language,
            "authors": [author], "channel": channel, "channel_title": text,
            "links": [{"url": url, "text": ""} for url in links],
            "warc": {"file": text, "offset": 1, "record_id": "<urn:uuid:1>", "capture_id": "<urn:uuid:1>"},
        },
        ArticleLine,
    )  # fmt: skip
    triples = LineStatements().of(line)
    quads = [pyoxigraph.Quad(*triple, pyoxigraph.NamedNode("urn:g")) for triple in triples]
    turtle = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.TURTLE, prefixes=dict(PREFIXES))
    nquads = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.N_QUADS)
    assert set(pyoxigraph.parse(turtle, pyoxigraph.RdfFormat.TURTLE)) == {
        pyoxigraph.Quad(*triple) for triple in triples
    }
    assert set(pyoxigraph.parse(nquads, pyoxigraph.RdfFormat.N_QUADS)) == set(quads)
    assert len(rdflib.Graph().parse(data=turtle, format="turtle")) == len(set(triples))
    assert len(rdflib.Dataset().parse(data=nquads, format="nquads")) == len(set(triples))
