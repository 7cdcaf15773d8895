"""Reading what people write: bytes, TOML, and where the shipped files are."""
