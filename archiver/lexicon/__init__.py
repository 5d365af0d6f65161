"""Tables of knowledge, each once: words of dates, notices, edit stamps, pagers, boilerplate."""
