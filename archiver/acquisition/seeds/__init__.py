"""Seeds: the files in which a person says what to archive."""

from archiver.acquisition.seeds.model import Seed, SeedList, SeedProblem, parse_interval
from archiver.acquisition.seeds.read import read_seeds, split_paths

__all__ = ["Seed", "SeedList", "SeedProblem", "parse_interval", "read_seeds", "split_paths"]
