"""Networks: the same weights on every processor, and what they learn by playing with themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from coinlib import sticks
from coinlib.projects.networks import WAYS, Judgement
from coinlib.theory import is_lost


@pytest.mark.parametrize("misere", [True, False])
def test_playing_with_itself_it_finds_the_lost_counts(misere):
    game = sticks(9, misere=misere)
    judgement = Judgement(game, seed=1)
    judgement.practise(1_500)
    counts = range(1, 10)
    found = [count for count in counts if judgement(game, (count,)) < 0]
    assert found == [count for count in counts if is_lost(game, (count,))]


PROGRAM = """
import hashlib, json
from coinlib import three_piles
from coinlib.projects.networks import WAYS, Judgement

game = three_piles(3, 3, 7)
found = {}
for name, way in WAYS.items():
    judgement = Judgement(game, way, seed=1)
    judgement.learn([(1, 2, 3), (3, 3, 7), (0, 2, 2), (1, 0, 5)], [-1, 1, -1, 1], steps=50)
    judgement.practise(10)
    weights = b"".join(weight.tobytes() for weight in judgement.network.weights)
    found[name] = hashlib.sha256(weights).hexdigest()
print(json.dumps(found))
"""
NO_VECTORS = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR AVX2 FMA3 X86_V3 X86_V4"


def on(kernel: str, **settings) -> dict[str, str]:
    """Return what the program finds on a processor of this kind."""
    environment = os.environ | {"OPENBLAS_CORETYPE": kernel, "PYTHONWARNINGS": "ignore"} | settings
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment)
    return json.loads(ended.stdout)


def test_every_processor_learns_the_same_weights():
    kinds = [on("Nehalem"), on("Haswell"), on("SkylakeX"), on("Nehalem", NPY_DISABLE_CPU_FEATURES=NO_VECTORS)]
    for way in WAYS:
        assert len({kind[way] for kind in kinds}) == 1, way
