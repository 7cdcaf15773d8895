"""All army lists against all: meetings, scores, ratings, what to bring."""
