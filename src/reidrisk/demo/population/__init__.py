"""A synthetic state with twelve counties, and the ten people of a published figure."""

from reidrisk.demo.population.counties import COUNTIES
from reidrisk.demo.population.figure_one import write_figure_one
from reidrisk.demo.population.state import COLUMNS, population_counts, write_population

__all__ = ["COLUMNS", "COUNTIES", "population_counts", "write_figure_one", "write_population"]
