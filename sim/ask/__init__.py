"""What commands and batches ask, checked and made a question; answers shown or written."""
