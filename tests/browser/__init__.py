"""Tests that click: a package, so that its browser is closed when its last test is over."""
