"""What every answer stands on: options, results, statistics, percent, threads, device."""
