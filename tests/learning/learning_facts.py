"""A package outside archiver with a method of its own: put this folder in front of PYTHONPATH."""

from archiver.articles.methods.registry import MethodFacts

LEARNING = MethodFacts(
    path="learning_method:Learning",
    about="where most paragraphs of each page are",
    sees_siblings=True,
    learns=True,
)
