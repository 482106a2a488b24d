"""The noun that everything after reads: a tree together with the schema that made it."""
