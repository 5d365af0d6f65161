"""Pages in a browser that has no network: what they ask for comes from us, and what they become is kept."""
