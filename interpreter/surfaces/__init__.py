"""The interfaces for people and programs: the command line, and plain data for everything else. Modules are thin
and do not depend on each other.
"""
