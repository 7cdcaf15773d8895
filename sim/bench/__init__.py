"""How fast Estoc is, beside plain programs and dice libraries, in one run."""
