"""`texedo judge ...`: does a motion do what a prompt says, from 1 to 10."""
