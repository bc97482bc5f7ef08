"""A kernel that is interrupted or killed, and a training without a home folder. See docs/hostile.md.

Trainings, loops of them and sweeps that are interrupted are tested with the arena.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from jupyter_client.manager import KernelManager
from paths import ROOT

from coinlib import Hats, sticks

UNIX = pytest.mark.skipif(os.name == "nt", reason="Windows has other signals and limits")


# --- a kernel -------------------------------------------------------------------------------------------


@UNIX
def test_interrupt_the_kernel_in_a_long_training(tmp_path):
    """As JupyterLab does it, once some games have been learnt."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(tmp_path), extra_arguments=["--HistoryManager.enabled=False"])
    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=60)

    def words(code):
        """What a cell prints; the kernel is interrupted once the cell has printed "on"."""
        printed = []

        def hear(message):
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])
                if printed == ["on\n"]:
                    manager.interrupt_kernel()

        client.execute_interactive(code, output_hook=hear, timeout=60)
        return "".join(printed).split()

    try:
        words("from coinlib import Hats, sticks, train\nhats = Hats(sticks(20), seed=1)\ntrain(hats, hats, games=5)")
        cell = (
            "import threading\n"
            "def tell():\n"
            "    while hats.games == 5:\n"
            "        pass\n"
            "    print('on', flush=True)\n"
            "threading.Thread(target=tell).start()\n"
            "try:\n"
            "    train(hats, hats, games=30_000_000)\n"
            "except KeyboardInterrupt:\n"
            "    print('off')"
        )
        assert {"on", "off"} <= set(words(cell))
        assert words("print(5 < hats.games < 30_000_000)") == ["True"]
        assert words("print(len(train(hats, hats, games=10).result))") == ["10"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_kernel_killed_while_it_trains_and_saves_leaves_a_whole_file(tmp_path):
    """As the button *Restart Kernel* kills it."""
    file = tmp_path / "hats.npz"
    code = (
        "from coinlib import Hats, sticks, train\nhats = Hats(sticks(500), seed=1)\nwhile True:\n"
        f"    train(hats, hats, games=20)\n    hats.save({str(file)!r})\n    print('saved', flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) as process:
        for _ in range(3):
            assert process.stdout.readline().strip() == b"saved"
        process.kill()
    hats = Hats(sticks(500))
    hats.load(file)
    assert hats.games >= 60 and hats.games % 20 == 0


# --- no home folder -------------------------------------------------------------------------------------

NO_HOME = """
import sys
sys.modules["numba"] = None  # to compile the loop of a training takes seconds
from coinlib import Hats, solve, sticks, train
from coinlib.plots import win_rate
hats = Hats(sticks(4), seed=1)
win_rate(train(hats, hats, games=20, seed=1)).figure.savefig("wins.png")
del sys.modules["numba"]
from coinlib import compiling, loops
compiling.numba_or_none.cache_clear()
solve(sticks(4))
print(len(loops.mark_wins.dispatcher().signatures))
"""


@UNIX
def test_without_a_home_training_plots_and_compiled_loops_have_a_place(tmp_path):
    pytest.importorskip("numba")
    (tmp_path / "file").write_text("so that not even root can make a folder here")
    nowhere = str(tmp_path / "file" / "home")
    named = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "MPLCONFIGDIR", "NUMBA_CACHE_DIR")
    settings = {**os.environ, "PYTHONPATH": str(ROOT), **dict.fromkeys(named, nowhere)}
    assert subprocess.check_output([sys.executable, "-c", NO_HOME], cwd=tmp_path, env=settings) == b"1\n"
    assert (tmp_path / "wins.png").stat().st_size > 1000
