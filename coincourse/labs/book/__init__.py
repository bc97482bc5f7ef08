"""What lives in the web book: everything that a page without Python needs to let a lab live."""
