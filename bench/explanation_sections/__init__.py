"""What bench/explanations.py measures: a module for each section, and what they share."""
