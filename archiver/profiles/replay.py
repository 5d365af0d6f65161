"""Settings that run the crawl again from the archive's own WARC, without network, into a folder beside."""

from archiver.profiles.default import *  # noqa: F403 - a profile holds only the differences

REPLAY = True
DOWNLOAD_HANDLERS = {
    "http": "archiver.handlers.replay.ReplayHandler",
    "https": "archiver.handlers.replay.ReplayHandler",
    "file": None,
    "data": None,
    "ftp": None,
    "s3": None,
}
# No server is asked, so none is disturbed.
DOWNLOAD_DELAY = 0
AUTOTHROTTLE_ENABLED = False
CONCURRENT_REQUESTS_PER_DOMAIN = 16
# The tape answers at once: who does not come does not come at all.
EXTRACTION_GROUP_SECONDS = 1
# Which channels failed was told when it happened.
FAILING_SHARE = 1
