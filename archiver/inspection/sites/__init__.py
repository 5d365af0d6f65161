"""Sites that are crawled as a whole, for those who look at them."""
