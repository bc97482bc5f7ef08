"""Films: labs that show step by step how something happens."""
