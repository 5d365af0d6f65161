"""WebSub: hubs that tell us when a feed changed, so that it need not be asked."""
