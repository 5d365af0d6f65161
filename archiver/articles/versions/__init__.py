"""What an article said over time."""
