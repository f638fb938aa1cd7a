"""The generalized composition experiment: which databases does the adversary's bit vector stand for?

In round i the adversary submits two databases and gets an answer from the one that bit i selects. The classic
experiment knows two vectors, 00...0 and 11...1; the generalized one (Hartmann, Bindschaedler and West, HBW) allows
all of them, and *hypotheses*: laws on vectors. What the adversary sees is a mixture of products of pairs.

- `run_experiment`, `view_law`, `view_pair`: run the experiment, or compute the exact law of everything it shows.
- `Hypothesis`, `hypothesis_dp`: laws on bit vectors, and how well the views tell two of them apart.
- `refine`, `matching_bound`, `coupling_bounds`: the paper's recipe, where it holds, and what holds everywhere.
- `contribution_bound`, `column_bound`: nobody is in all the databases, so fewer rounds count.
- `uniform_prior`, `subsampled`: an adversary who knows little, and the coin that replaces the ignorance.
"""

from .contribution import WorstSet, column_bound, contribution_bound
from .couplings import coupling_bounds
from .exact import HypothesisCurve, hypothesis_dp
from .hypothesis import Hypothesis
from .matching import matching_bound, refine
from .prior import UniformPrior, uniform_prior
from .recipe import Recipe
from .sampling import subsampled
from .views import both_databases, run_experiment, view_law, view_pair

__all__ = [
    "Hypothesis",
    "HypothesisCurve",
    "Recipe",
    "UniformPrior",
    "WorstSet",
    "both_databases",
    "column_bound",
    "contribution_bound",
    "coupling_bounds",
    "hypothesis_dp",
    "matching_bound",
    "refine",
    "run_experiment",
    "subsampled",
    "uniform_prior",
    "view_law",
    "view_pair",
]
