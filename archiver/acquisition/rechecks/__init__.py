"""When a known article is fetched again, and when it is gone: values in, values out."""
