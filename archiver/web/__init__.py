"""The web application: an archive to look into, in a browser or as JSON. It only reads."""
