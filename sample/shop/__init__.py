"""A made-up bookshop whose books are only found through a search form."""
