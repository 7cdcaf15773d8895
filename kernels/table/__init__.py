"""Geometry of the table: shapes, contacts, sight, melees, places at an edge, paths."""
