"""Settings profiles, named in scrapy.cfg."""
