"""Methods of the papers, which the others are measured against."""
