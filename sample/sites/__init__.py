"""The sites of the sample web, one module each."""
