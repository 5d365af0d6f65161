"""Settings of the default profile: the wiring, and every setting of ours with its default.

docs/settings.md explains each of them.
"""

BOT_NAME = "archiver"
SPIDER_MODULES = ["archiver.spiders"]

# ── The archive ──────────────────────────────────────────────────────────────────────────────────────────
ARCHIVE_DIR = "archive"  # relative to the file that names it, or to scrapy.cfg or the working folder
STATE_URL = None  # none: SQLite in ARCHIVE_DIR/state.sqlite
STORAGE_URL = ""  # where closed WARC files are moved to, such as s3://BUCKET/FOLDER; empty: they stay
WRITER = None  # the name of this archive folder in the names of its files; none: the host's when it was begun
WORKER_TIMEOUT = 60  # seconds without a sign of life after which other crawl workers take over
ARCHIVE_UMASK = "027"  # new files are 0640 and folders 0750; none: as the system has it
OPERATOR = ""  # who runs this archive, for the warcinfo record
CONTACT = ""  # a URL or address at which sites can reach you, for the User-Agent
REPLAY = False  # True in the replay profile
CLOCK_OFFSET = 0  # seconds by which the schedule's clock is ahead; for rehearsals
CLOCK_SPEED = 1  # how many times as fast it goes; for rehearsals

# ── Looking into it ──────────────────────────────────────────────────────────────────────────────────────
BROWSE_PASSWORD = None  # what a browser of another machine has to know; none: only this machine may look
BROWSE_NAMES: list[str] = []  # names of this machine by which browsers of others ask for it
REPLAY_PYWB = None  # pywb's `wayback`, to replay pages with their scripts; none: the one on PATH, if any

# ── Polling ──────────────────────────────────────────────────────────────────────────────────────────────
POLL_BUDGET = 12  # polls for each channel and day, on average over all; none: as many as they are worth
POLL_FAIRNESS = 2.2  # what a channel counts beside its entries, in entries a day; 0: entries alone count
POLL_INTERVAL = None  # such as "1h": the same for all channels, whatever they publish
POLL_LONGEST_INTERVAL = "7d"
POLL_FLOOR = "30m"  # not sooner after a poll, where the next request is conditional
POLL_FLOOR_BLIND = "50m"  # not sooner where it cannot be
POLL_FLOOR_URGENT = "5m"  # never sooner where entries would be lost before that
POLL_LONGEST_WISH = "1d"  # up to which ttl, max-age, skipHours and their like are obeyed
POLL_DELTAS = True  # ask for what changed in a feed (A-IM: feed)
DISCOVERY_INTERVAL = "7d"
RETIRE_AFTER_DAYS = 60  # of nothing but failures …
RETIRE_TRIES = 10  # … and this many of them
RETIRED_INTERVAL = "30d"  # how often a retired channel is asked whether it came back
MAX_PAGES_PER_CHANNEL = 500  # asked for at once after a poll; 0: no limit
MAX_FEEDS_PER_SITE = 20  # of those that a page names
GAP_PAGES = 20  # documents asked for to find what a feed showed between two polls; 0: none
FAILING_SHARE = 0.5  # more of a run's channels failing than this makes the exit code 1
SEEDS_DROP_SHARE = 0.2  # seeds files that drop more of their channels than this (and 5) are not obeyed

# ── WebSub ───────────────────────────────────────────────────────────────────────────────────────────────
WEBSUB_URL = ""  # where hubs on the Web can call us; empty: hubs are not subscribed to
WEBSUB_HOST = "127.0.0.1"  # where we listen for them, while watching
WEBSUB_PORT = 8765
WEBSUB_LEASE = "10d"  # for which hubs are asked to call
WEBSUB_POLL_INTERVAL = "1d"  # of channels whose hub calls, in case that it does not

# ── Metrics ──────────────────────────────────────────────────────────────────────────────────────────────
METRICS_HOST = "127.0.0.1"  # where a crawl that watches tells how it goes, at /metrics
METRICS_PORT = 0  # 0: it does not

# ── Pages ────────────────────────────────────────────────────────────────────────────────────────────────
PAGE_TRIES = 8
PAGE_FIRST_WAIT = "10m"
PAGE_LONGEST_WAIT = "1d"
ALLOW_PRIVATE_ADDRESSES = False
REQUISITES = "look"  # none, article (its images), look (styles too) or page (whatever it needs to be shown)
REQUISITES_SHARE = 0.25  # of a day's requests, at most, and 50 more; what is beyond it waits; 1: no limit
MAX_REQUISITES_PER_PAGE = 100
REQUISITES_MAX_AGE = "30d"  # after which one that is named again is fetched again
HOST_PAGES_PER_DAY = 50_000  # what a host gives beyond these waits for the next day (UTC); 0: no limit
HOST_MB_PER_DAY = 10_000
CHANNEL_PAGES_PER_DAY = 10_000  # the same for a channel
CHANNEL_MB_PER_DAY = 5_000
CHANNEL_PAGES = False  # True: keep a channel's own page whenever its feed has something new

# ── Rechecks ─────────────────────────────────────────────────────────────────────────────────────────────
ARTICLE_PAGES = 20  # of an article that is on several, at most; 1: only the first
RECHECK_SHARE = 0.7  # of all requests, at most, go to articles that are known; 0: none
RECHECK_INTERVAL = None  # such as "1d": the same for all articles, whatever their channel is like
RECHECK_FLOOR = "15m"  # never sooner after a look
RECHECK_DAYS = 30  # the age from which on an article is left alone
RECHECK_SITEMAPS = 10  # documents asked for in a day of the sitemaps of a host with 50 articles; 0: none

# ── Extraction ───────────────────────────────────────────────────────────────────────────────────────────
EXTRACTION = True  # False: pages are kept now and read by a later run
COMMENTS = False  # True: what readers write about articles is kept as objects of its own kind
EXTRACT_METHOD = "article"  # docs/extraction.md has them all
EXTRACT_WORKERS = 0  # 0: as many as there are processors
EXTRACT_TIMEOUT = 60  # seconds for a page
EXTRACT_MEMORY_MB = 1024  # for each worker
EXTRACT_BACKLOG = 5000  # captured pages that may wait before no more are fetched
EXTRACTION_GROUP_PAGES = 20  # of a channel that are read together, at most
EXTRACTION_GROUP_BYTES = 8 * 1024 * 1024  # of their bodies as they were received
EXTRACTION_GROUP_SECONDS = 30  # for which a captured page waits for its siblings
EXTRACTION_SIBLINGS = 5  # earlier pages that a few new ones are read with, where nothing learned fits

# ── Rendering ────────────────────────────────────────────────────────────────────────────────────────────
RENDER = "off"  # auto: pages that are empty without their scripts are rendered in a browser
RENDER_BROWSER = "/usr/bin/chromium"
RENDER_USER = "nobody"  # whose rights the browser has where the crawl runs as root
RENDER_SANDBOX = True  # of Chromium, which needs user namespaces
RENDER_TIMEOUT = 15  # seconds of processor time for a page
RENDER_MEMORY_MB = 1024  # of the browser with all of its processes
RENDER_SCREENS = 20  # that a page is scrolled down, at most
RENDER_REQUESTS = 100  # of a page that are answered, at most

# ── Search ───────────────────────────────────────────────────────────────────────────────────────────────
SEARCH_INDEX = True  # False: only `scrapy search --build` feeds it

# ── APIs ─────────────────────────────────────────────────────────────────────────────────────────────────
API_INTERVAL = "30m"  # after which what is followed through an API is asked for again
API_HONOUR_NOBOT = True  # leave out posts of accounts that do not want to be archived
BLUESKY_URL = "https://public.api.bsky.app"  # where Bluesky answers without an account
API_TOKENS: dict[str, str] = {}  # host: the environment variable that has its token; never the token itself

# ── WARC ─────────────────────────────────────────────────────────────────────────────────────────────────
BODIES_IN_FLIGHT_MB = 512  # of large responses that are still coming in, together; they wait on disk
WARC_PREFIX = "archiver"
WARC_MAX_MB = 1024
WARC_MAX_AGE = "1d"
WARC_COMPRESSION = 5  # of what did not come compressed
WARC_EXACT_WIRE = False  # True: keep the chunked transfer coding as well
WARC_FSYNC = True
WARC_OUTLINKS = False  # True: keep the links of each page in a metadata record

# ── What a person sees ───────────────────────────────────────────────────────────────────────────────────
PROGRESS = True
SUMMARY = True
LOG_LEVEL = "WARNING"
LOGSTATS_INTERVAL = 0
STATS_DUMP = False
LOG_FORMATTER = "archiver.extensions.logs.ThriftyLogFormatter"

# ── Politeness ───────────────────────────────────────────────────────────────────────────────────────────
USER_AGENT = None  # none: archiver/VERSION (+CONTACT)
ROBOTSTXT_USER_AGENT = "archiver"
ROBOTSTXT_OBEY = True
ROBOTS_LONGEST_DELAY = 24 * 3600  # seconds; a Crawl-delay beyond it is cut
RUN_HOST_TIME = 3600  # seconds for which a run is busy with a host; what is left waits for the next run
CONCURRENT_REQUESTS = 64
CONCURRENT_REQUESTS_PER_DOMAIN = 2
DOWNLOAD_DELAY = 1
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 1
AUTOTHROTTLE_TARGET_CONCURRENCY = 1
AUTOTHROTTLE_MAX_DELAY = 30
DOWNLOAD_TIMEOUT = 60
DOWNLOAD_MAXSIZE = 64 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
# No Referer: a feed's URL may carry a token.
REFERRER_POLICY = "no-referrer"
COOKIES_ENABLED = False
DEFAULT_REQUEST_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "Accept-Language": "en,*;q=0.5",
}
# Not br: `warcio check`, and whatever else reads through warcio, ends in an error where Brotli is installed.
ACCEPT_ENCODING = "gzip"

# ── The wiring ───────────────────────────────────────────────────────────────────────────────────────────
DOWNLOAD_HANDLERS = {
    "http": "archiver.handlers.http.ArchivingHandler",
    "https": "archiver.handlers.http.ArchivingHandler",
    # A link in a feed must never read a local file.
    "file": None,
    "data": None,
    "ftp": None,
    "s3": None,
}
TWISTED_DNS_RESOLVER = "archiver.handlers.resolver.PublicResolver"
# Scrapy's own, as far as we use them. Naming the others with None would load them all the same, with a web
# server and two more HTTP clients: half a second before every run. Bodies are decoded where they are read, in
# the workers; Scrapy's robots.txt takes any status for rules, and keeps them for ever.
DOWNLOADER_MIDDLEWARES_BASE = {
    "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": 350,
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 400,
    "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 500,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": 550,
    "archiver.middlewares.redirects.RedirectMiddleware": 600,
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": 750,
    "scrapy.downloadermiddlewares.stats.DownloaderStats": 850,
}
DOWNLOADER = "archiver.handlers.downloader.FairDownloader"
DOWNLOADER_MIDDLEWARES = {
    # Before robots.txt is asked for.
    "archiver.middlewares.patience.PatienceMiddleware": 50,
    "archiver.middlewares.robots.RobotsMiddleware": 100,
    # Below the redirects (600), so that each hop gets the validators of its own URL.
    "archiver.middlewares.validators.ValidatorsMiddleware": 650,
    # There for the same reason: each hop gets the token of its own host, or none.
    "archiver.middlewares.tokens.TokensMiddleware": 660,
    # Last: each request that it lets pass is sent.
    "archiver.middlewares.spending.SpendingMiddleware": 900,
}
# Without those that would look at every request and response for what we never ask them.
SPIDER_MIDDLEWARES_BASE = {
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": 25,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": 700,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": 800,
}
# The run report counts what an operator wants to know.
DOWNLOADER_STATS = False
ITEM_PIPELINES = {"archiver.pipelines.storing.StorePipeline": 100}
# The kinds of things that are asked for, in the order in which places are given to them.
KINDS_BASE = {
    "archiver.spiders.kinds.pages.PageKind": 100,
    "archiver.spiders.kinds.channels.ChannelKind": 200,
    "archiver.spiders.kinds.sitemaps.SitemapKind": 300,
    "archiver.spiders.kinds.pages.RecheckKind": 400,
    "archiver.spiders.kinds.comments.CommentFeedKind": 450,
    "archiver.spiders.kinds.gaps.GapKind": 500,
    "archiver.spiders.kinds.requisites.RequisiteKind": 600,
    "archiver.spiders.kinds.rendering.RenderingKind": 650,
    "archiver.spiders.kinds.visits.VisitKind": 700,
    # Of campaigns, where a run fetches for some.
    "archiver.spiders.kinds.apis.PostKind": 750,
    "archiver.spiders.kinds.candidates.CandidateKind": 800,
}
# Those of plug-ins.
KINDS: dict[str, int | None] = {}
# The kinds of objects that are written.
OBJECT_KINDS_BASE = {
    "archiver.articles.objects.schema.ArticleKind": 100,
    "archiver.articles.contributions.schema.ContributionObjects": 200,
    "archiver.articles.posts.schema.PostObjects": 300,
    "archiver.records.objects.schema.RecordObjects": 400,
}
OBJECT_KINDS: dict[str, int | None] = {}
# Without the doors that an unattended archive does not need: telnet, remote control, feed exports.
EXTENSIONS_BASE = {
    "scrapy.extensions.corestats.CoreStats": 0,
    "scrapy.extensions.logcount.LogCount": 0,
    "scrapy.extensions.memusage.MemoryUsage": 0,
    "scrapy.extensions.memdebug.MemoryDebugger": 0,
    "scrapy.extensions.closespider.CloseSpider": 0,
    "scrapy.extensions.logstats.LogStats": 0,
    "scrapy.extensions.spiderstate.SpiderState": 0,
    "scrapy.extensions.throttle.AutoThrottle": 0,
}
EXTENSIONS = {
    # First: everything else asks it for the archive.
    "archiver.extensions.archive.ArchiveExtension": 0,
    "archiver.extensions.progress.ProgressExtension": 10,
    "archiver.extensions.stopping.StoppingExtension": 20,
    "archiver.extensions.websub.WebSubExtension": 30,
    "archiver.extensions.metrics.MetricsExtension": 40,
}
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
# Retries are the state store's: over days, not seconds.
RETRY_ENABLED = False
REDIRECT_MAX_TIMES = 10
# What came before a connection broke is kept, and told apart by its flag.
DOWNLOAD_FAIL_ON_DATALOSS = False
# A certificate that is wrong does not make the page less worth keeping.
DOWNLOAD_VERIFY_CERTIFICATES = False
# Through a proxy, addresses could not be checked.
HTTPPROXY_ENABLED = False
# Scrapy starts this many tasks for each response; our callbacks yield one item.
CONCURRENT_ITEMS = 2
# Responses wait here for the disk, a few tens of milliseconds each: room for as many as come meanwhile.
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 32 * 1024 * 1024
# The frontier hands nothing out twice; a long URL is still a URL.
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"
URLLENGTH_LIMIT = 0

# Files and folders that tell of the software behind sites; `builtin` is what comes with the archiver.
SITE_KNOWLEDGE = ["builtin"]
SITE_SEED = 0  # decides which of several links of one kind is followed first, where patterns are learned
SITE_ADAPT = True  # actions of these that fail on a site are learned anew from its pages
# Seconds between two requests of a campaign to a host, at least; its Crawl-delay may ask for more.
CAMPAIGN_PER_HOST_DELAY = 5.0
CAMPAIGN_LINKS_PER_PAGE = 300  # of a page, in the order of reading
FORMS_DELAY = 5.0  # seconds between two requests of a form, at least; less on loopback alone
FORMS_ALLOW_POST = False  # also ask forms that send POST and whose files say `allow_post: true`
# The folder of field wrappers, below the archive; "" reads no fields.
FIELD_WRAPPERS = "wrappers"
# What a run does with rules that work again after a site changed: "propose", "auto" or "off".
FIELD_REPAIR = "propose"
