"""Actions of the knowledge base that fail on a site, and others in their place, learned from its pages.

Pure: it reads pages and gives values. Workers run it; what it learns is kept by the state store.
"""
