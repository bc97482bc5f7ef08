"""Films: labs that show something step by step."""
