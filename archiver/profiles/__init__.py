"""Default settings, and the profiles that differ from them; `settings/` has them for Scrapy."""
