"""Who only counts visitors or sells places: what a page asks of them changes nothing of what it says."""

from __future__ import annotations

import re

# Services that measure audiences, record sessions, test variants or auction places, by their public names.
_SERVICES = (
    "google-analytics", "googletagmanager", "googletagservices", "googlesyndication",
    "googleadservices", "doubleclick", "adservice", "scorecardresearch", "quantserve", "chartbeat",
    "parsely", "hotjar", "mouseflow", "fullstory", "segment", "mixpanel", "amplitude", "heapanalytics",
    "newrelic", "nr-data", "bugsnag", "sentry", "optimizely", "criteo", "taboola", "outbrain", "adnxs",
    "rubiconproject", "pubmatic", "openx", "casalemedia", "amazon-adsystem", "adsrvr", "demdex",
    "omtrdc", "everesttech", "krxd", "bluekai", "crwdcntrl", "moatads", "ioam", "iocnt", "etracker",
    "matomo", "piwik", "plausible", "usefathom", "clarity", "xiti", "at-internet", "effectivemeasure",
    "comscore", "imrworldwide", "cookiebot", "onetrust", "cookielaw", "privacy-mgmt", "consensu",
    "yandex-metrika", "mc\\.yandex",
)  # fmt: skip
# The name of the host has one of them as a label: segment.io, cdn.segment.com; not segments.example.
TRACKER_HOST = re.compile(rf"(?:^|\.)(?:{'|'.join(_SERVICES)})(?=\.)", re.IGNORECASE)
# Addresses on the site itself by which visits are counted.
TRACKER_PATH = re.compile(
    r"/(?:gtag/js|gtm\.js|ga\.js|analytics(?:\.min)?\.js|matomo\.(?:js|php)|piwik\.(?:js|php)|fbevents\.js"
    r"|pixel(?:\.gif|\.png)?|beacon|collect|__utm\.gif|count\.gif)(?:$|[?/])",
    re.IGNORECASE,
)
