"""The experiment runner: reads experiments/NAME.json, runs its commands and writes its page. docs/experiments.md"""
