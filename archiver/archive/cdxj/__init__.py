"""CDXJ: which record of which WARC holds a URL, sorted, merged in tiers, and found in milliseconds."""
