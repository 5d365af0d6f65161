"""Sites of which nothing is known: which links pay is learned while they are followed."""
