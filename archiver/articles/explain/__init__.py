"""Why an article is what it is: each block with the reasons for and against it."""
