"""Robots in physics: simulators, perturbations, what policies see there."""
