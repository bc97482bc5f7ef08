"""The pages of this folder hold examples for the tests; the programs that build the book from them do not."""

collect_ignore_glob = ["*.py", "_ext"]
