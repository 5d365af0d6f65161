"""Which blocks of a page several sources take for its article, and how far each source is trusted.

That labels of several sources have a reliability each, learned from how they agree, is an extension of this
project: Carullo's thesis, from which the visual features come, means by "multi-source" several spaces of
features, and takes its labels from experts.
"""
