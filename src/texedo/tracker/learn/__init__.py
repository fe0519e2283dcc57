"""Reinforcement learning of the tracker."""
