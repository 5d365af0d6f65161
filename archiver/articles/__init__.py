"""What a page is about: extraction, times, versions, the object that is written."""
