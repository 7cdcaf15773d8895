"""The table: who stands where, what he may reach, which melees there are."""
