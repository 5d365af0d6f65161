"""Known articles that are looked at again, and what sitemaps say of them."""
