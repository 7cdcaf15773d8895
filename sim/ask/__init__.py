"""From words to a question, and from its answer to text, a picture, a page or a file."""
