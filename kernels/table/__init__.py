"""The table: shapes, contacts, sight, melees, places at an edge, shortest paths (M, C-1)."""
