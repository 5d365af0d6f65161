"""What to ask for, when, and what a failure means."""
