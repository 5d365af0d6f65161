"""How a page looks: a box for each element and text, from a browser or estimated."""
