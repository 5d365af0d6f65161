"""Download handlers: how bytes come in, and that none of them is missed."""
