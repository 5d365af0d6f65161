"""Reading feeds and pages takes processor time: it happens in processes of its own."""
