"""Colours as different eyes see them, for the tests: contrast, colour-blindness, and how far apart two colours are."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb

WEAK = 3.0  # WCAG 2.2, 1.4.11: the least contrast of a graphic or a control with what is next to it
READABLE = 4.5  # WCAG 2.2, 1.4.3: the least contrast of text that is not large

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# the matrices for severity 1.0, which act on linear RGB
EYES = {
    "all cones": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear(rgb):
    """The light of sRGB values from 0 to 1, in the last axis."""
    rgb = np.asarray(rgb, dtype=float)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def luminance(rgb):
    """How light a colour is, from 0 to 1, as WCAG 2 defines it."""
    return linear(rgb) @ TO_XYZ[1]


def contrast(one, other):
    """The contrast ratio of two colours as WCAG 2 defines it, from 1 to 21."""
    low, high = sorted((luminance(to_rgb(one)), luminance(to_rgb(other))))
    return (high + 0.05) / (low + 0.05)


def contrasts(ink, pixels):
    """The contrast of one colour with each of many pixels, an array (..., 3) of sRGB values from 0 to 1."""
    one, others = luminance(to_rgb(ink)) + 0.05, luminance(pixels) + 0.05
    return np.maximum(one, others) / np.minimum(one, others)


def seen(rgb, eyes):
    """The light (linear RGB from 0 to 1) that gives a person with all cones what these eyes see."""
    return np.clip(linear(rgb) @ np.asarray(EYES[eyes]).T, 0, 1)


def picture(rgb, eyes):
    """An image, an array (..., 3) of sRGB values from 0 to 1, as these eyes see it."""
    light = seen(rgb, eyes)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def lab(light):
    """CIE L*a*b* of linear RGB, in daylight (D65)."""
    xyz = TO_XYZ @ light / (TO_XYZ @ np.ones(3))
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(one, other, eyes="all cones"):
    """How far apart two colours look (CIE 1976: at 2.3 they can just be told apart; black and white are at 100)."""
    return float(np.linalg.norm(lab(seen(to_rgb(one), eyes)) - lab(seen(to_rgb(other), eyes))))


def distance_for_all(one, other):
    """The smallest distance between two colours for any of these eyes."""
    return min(distance(one, other, eyes) for eyes in EYES)
