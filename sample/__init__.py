"""A small made-up web, served on loopback, whose every page and every change is known in advance."""
