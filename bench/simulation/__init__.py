"""What bench/polling.py has beyond `scrapy simulate`: files of histories, the limit, and what is claimed."""
