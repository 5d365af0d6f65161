"""The views of the application, in the order of its navigation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archiver.web.views.article import ARTICLE
from archiver.web.views.articles import ARTICLES
from archiver.web.views.campaigns import CAMPAIGN, CAMPAIGNS, REASONS
from archiver.web.views.captures import CAPTURE, CAPTURES, REPLAY
from archiver.web.views.changes import CHANGES
from archiver.web.views.channels import CHANNEL, CHANNELS
from archiver.web.views.explained import EXPLAINED
from archiver.web.views.fields import FIELD_WRAPPER, FIELD_WRAPPERS
from archiver.web.views.forms import FORM, FORM_RECORD, FORM_RECORDS, FORMS
from archiver.web.views.history import DIFFERENCE, HISTORY
from archiver.web.views.marking import MARK
from archiver.web.views.overview import OVERVIEW
from archiver.web.views.rebuilt import REBUILT
from archiver.web.views.runs import RUN, RUNS
from archiver.web.views.sites import SITE, SITES
from archiver.web.views.words import WORDS

if TYPE_CHECKING:
    from archiver.web.view import WebView

VIEWS: tuple[WebView[Any, Any], ...] = (
    OVERVIEW, CHANNELS, CHANNEL, SITES, SITE, CAMPAIGNS, CAMPAIGN, REASONS, ARTICLES, ARTICLE, HISTORY,
    DIFFERENCE, CHANGES, CAPTURES, CAPTURE, REPLAY, MARK, REBUILT, EXPLAINED, WORDS, FIELD_WRAPPERS,
    FIELD_WRAPPER, FORMS, FORM, FORM_RECORDS, FORM_RECORD, RUNS, RUN,
)  # fmt: skip
