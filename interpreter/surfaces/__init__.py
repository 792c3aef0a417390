"""What people and programs meet: the command line, and plain data for everything else. Each is thin and
none knows another.
"""
