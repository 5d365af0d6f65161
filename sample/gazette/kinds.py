"""The kinds of event, each with what happens and what is true of it afterwards."""

from __future__ import annotations

from sample.gazette import edits
from sample.gazette.edits import in_turn
from sample.gazette.model import Kind

_TEXT, _TITLE, _LINKS, _IMAGES = ("text",), ("title",), ("links",), ("images",)

_REAL = (
    Kind(name="letter", what="one letter of a word is another", kinds=_TEXT, edit=edits.letter),
    Kind(name="number", what="a number in a sentence is another", kinds=_TEXT, edit=edits.number),
    Kind(name="word", what="one word is replaced", kinds=_TEXT, edit=edits.word),
    Kind(name="small word", what="a “not” is put into a sentence", kinds=_TEXT, edit=edits.small_word),
    Kind(
        name="sentence added", what="a sentence more in a paragraph", kinds=_TEXT, edit=edits.sentence_added
    ),
    Kind(
        name="sentence removed",
        what="a paragraph keeps its first sentence",
        kinds=_TEXT,
        edit=edits.sentence_removed,
    ),
    Kind(name="paragraph added", what="a paragraph more", kinds=_TEXT, edit=edits.paragraph_added),
    Kind(name="paragraph removed", what="a paragraph less", kinds=_TEXT, edit=edits.paragraph_removed),
    Kind(
        name="paragraph replaced",
        what="a paragraph is written anew",
        kinds=_TEXT,
        edit=edits.paragraph_replaced,
    ),
    Kind(
        name="paragraphs reordered",
        what="two paragraphs change places",
        kinds=_TEXT,
        edit=edits.paragraphs_reordered,
    ),
    Kind(
        name="rewritten", what="all paragraphs without a link are others", kinds=_TEXT, edit=edits.rewritten
    ),
    Kind(name="quotation", what="a block quotation says something else", kinds=_TEXT, edit=edits.quotation),
    Kind(name="list item added", what="a list has an item more", kinds=_TEXT, edit=edits.list_item_added),
    Kind(name="list item removed", what="a list has an item less", kinds=_TEXT, edit=edits.list_item_removed),
    Kind(name="table cell", what="a cell of a table has another number", kinds=_TEXT, edit=edits.table_cell),
    Kind(name="subheading", what="a subheading is another", kinds=_TEXT, edit=edits.subheading),
    Kind(
        name="correction",
        what="a word is put right, a note at the end says so",
        kinds=_TEXT,
        edit=edits.correction,
    ),
    Kind(name="note", what="a note about an amendment is added", kinds=_TEXT, edit=edits.note),
    Kind(
        name="live entries",
        what="two entries more at the top of a live report",
        kinds=_TEXT,
        edit=edits.live_entries,
    ),
    Kind(name="headline word", what="one word of the headline", kinds=_TITLE, edit=edits.headline_word),
    Kind(name="headline", what="another headline", kinds=_TITLE, edit=edits.headline_rewritten),
    Kind(name="link target", what="a link leads elsewhere", kinds=_LINKS, edit=edits.link_target),
    Kind(name="link added", what="words come to be a link", kinds=_LINKS, edit=edits.link_added),
    Kind(name="link removed", what="words are no longer a link", kinds=_LINKS, edit=edits.link_removed),
    Kind(name="image swapped", what="a figure shows another image", kinds=_IMAGES, edit=edits.image_swapped),
    Kind(name="image added", what="a figure more, without a caption", kinds=_IMAGES, edit=edits.image_added),
    Kind(
        name="image removed", what="a figure without a caption goes", kinds=_IMAGES, edit=edits.image_removed
    ),
    Kind(
        name="caption",
        what="the words under an image are others",
        kinds=("text", "images"),
        either=True,
        edit=edits.caption,
    ),
    Kind(
        name="headline and text",
        what="headline and a paragraph at once",
        kinds=("text", "title"),
        edit=in_turn(edits.headline_rewritten, edits.paragraph_replaced),
    ),
    Kind(
        name="text and image",
        what="a paragraph more and a figure more",
        kinds=("text", "images"),
        edit=in_turn(edits.paragraph_added, edits.image_added),
    ),
    Kind(
        name="everything",
        what="headline, a paragraph, a link and an image at once",
        kinds=("text", "title", "links", "images"),
        edit=in_turn(edits.headline_word, edits.paragraph_replaced, edits.link_target, edits.image_swapped),
    ),
    Kind(
        name="back edited",
        what="comes back after two days of 404 with a paragraph more",
        kinds=_TEXT,
        edit=edits.paragraph_added,
    ),
)

_ABSENCES = (
    Kind(name="not found", what="404 for some days", absence="not_found"),
    Kind(name="gone", what="410 for some days, or for good", absence="gone"),
    Kind(name="to the front page", what="redirects to the front page for some days", absence="front_page"),
    Kind(name="soft not found", what="says with status 200 that it is not there", absence="soft_404"),
)

_NOISE = (
    Kind(name="advertisement outside", what="another advertisement above the page and beside it"),
    Kind(name="advertisement inside", what="another advertisement between two paragraphs"),
    Kind(name="view counter", what="“read n times” counts on"),
    Kind(name="share counter", what="the number of shares below the headline"),
    Kind(name="comment counter", what="the number of comments below the headline"),
    Kind(name="relative date", what="“3 hours ago” becomes “2 days ago”"),
    Kind(name="updated at", what="“updated at” shows another hour, and nothing was updated"),
    Kind(name="related links", what="other links behind the article"),
    Kind(name="related inside", what="another “read more” between two paragraphs"),
    Kind(name="most read", what="another list of what is read most"),
    Kind(name="comments", what="readers write more comments"),
    Kind(
        name="redesign", what="another template: names, wrappers, order of side bars; a whole section at once"
    ),
    Kind(name="side bars", what="side bars change places"),
    Kind(name="hashed classes", what="names of classes end in other digits"),
    Kind(name="session ids", what="another session in every link and image"),
    Kind(name="tracking parameters", what="links of the article get utm_source and its like"),
    Kind(name="image query", what="images are asked for with another ?v="),
    Kind(name="lazy images", what="images wait in data-src for a script"),
    Kind(name="white space", what="another indentation, lines that break elsewhere"),
    Kind(name="entities", what="letters and quotation marks are spelt as entities"),
    Kind(name="encoding", what="the page comes in ISO-8859-1 instead of UTF-8, rightly declared"),
    Kind(name="attribute order", what="attributes in the other order"),
    Kind(name="dates in the head", what="dateModified and article:modified_time move"),
    Kind(name="newsletter box", what="an invitation to a newsletter between two paragraphs"),
    Kind(name="cookie banner", what="a banner asks for consent"),
    Kind(name="author box", what="a few words on the author behind the article"),
    Kind(name="page weight", what="more scripts and styles"),
    Kind(name="every request", what="from now on a token and an advertisement differ in every answer"),
)

KINDS: dict[str, Kind] = {kind.name: kind for kind in (*_REAL, *_ABSENCES, *_NOISE)}
