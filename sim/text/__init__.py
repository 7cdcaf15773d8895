"""How anything is said and written: language, terminal, figures, pages, files."""
