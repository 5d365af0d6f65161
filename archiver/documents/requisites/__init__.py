"""What else a browser needs to show a page: its styles, images, fonts and scripts. Nothing here fetches."""
