"""Commands of the archiver, found by Scrapy through COMMANDS_MODULE."""
