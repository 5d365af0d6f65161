"""Named values of pages, such as a price or a court: wrappers that people design, induced from examples."""
