"""Army lists, all against all: meetings, scores, ratings, which list to bring."""
