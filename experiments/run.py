#!/usr/bin/env python3
"""Runs experiments and writes their pages: experiments/run.py --help"""
import sys

from runner.command import main

if __name__ == "__main__":
    sys.exit(main())
