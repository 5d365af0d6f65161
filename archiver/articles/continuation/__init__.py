"""Articles on several pages: which link leads on, which pages belong together, and how they are joined."""
