"""WARC: what went over the wire, kept byte for byte."""
