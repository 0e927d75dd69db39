"""What a URL is: site files, rules as RE2 patterns, engines and how they are recognised."""
