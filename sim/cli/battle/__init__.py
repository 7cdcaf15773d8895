"""Commands about battles: how they end, their phases and tables, what they show of lists."""
