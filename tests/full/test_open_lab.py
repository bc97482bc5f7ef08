"""`coinlib lab` starts a real JupyterLab, or says why it could not."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from ipykernel.kernelspec import make_ipkernel_cmd

from coincourse import course


@pytest.fixture
def taken():
    """A port on which something listens."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_taken_port_is_said(taken, capfd):
    with pytest.raises(course.CourseError, match=r"could not start.*status 1"):
        course.open_lab(Path(), "00.ipynb", taken)
    assert f"port {taken} is not available" in capfd.readouterr().err


def answer(url: str, process: subprocess.Popen) -> dict:
    """What a server answers: JupyterLab announces its address a moment before it listens there."""
    straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while process.poll() is None:
        try:
            with straight.open(url, timeout=60) as reply:
                return json.load(reply)
        except urllib.error.URLError as trouble:
            if not isinstance(trouble.reason, ConnectionRefusedError):
                raise
    raise AssertionError(f"the server ended with status {process.returncode}")


def test_the_lab_opens_at_the_welcome_lesson_and_stops_when_asked(checkout):
    """On a port that is free, since none is named."""
    process = subprocess.Popen(
        [sys.executable, "-m", "coincourse", "lab", "--no-browser"],
        cwd=checkout / "data",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        said, address = "", None
        for line in process.stdout:
            said += line
            if address := re.search(r"(http://127\.0\.0\.1:\d+)(/lab/tree/\S+)\?token=(\w+)", line):
                break
        assert address, said
        host, page, token = address.groups()
        assert page == "/lab/tree/00_start_here.ipynb"
        assert "JupyterLab opens 00_start_here.ipynb. Press Ctrl-C twice here to stop it." in said
        shown = answer(f"{host}/api/contents?token={token}", process)
        assert {"00_start_here.ipynb", "04_hats.ipynb"} <= {entry["name"] for entry in shown["content"]}
        pop_ups = "lab/api/settings/@jupyterlab/apputils-extension:notification"
        settings = answer(f"{host}/{pop_ups}?token={token}", process)["schema"]["properties"]
        assert settings["fetchNews"]["default"] == "false"
        assert settings["checkForUpdates"]["default"] is False
        viewers = answer(f"{host}/lab/api/settings/@jupyterlab/docmanager-extension:plugin?token={token}", process)
        assert viewers["schema"]["properties"]["defaultViewers"]["default"] == {"markdown": "Markdown Preview"}
        kernel = answer(f"{host}/api/kernelspecs/python3?token={token}", process)["spec"]
        assert kernel["argv"][1:] == make_ipkernel_cmd(extra_arguments=["--log-level=ERROR"])[1:]
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert process.returncode == 0
