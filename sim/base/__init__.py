"""What every answer shares: options, results, intervals, percent, threads, device."""
