"""Marking what students hand in, for teachers: four steps, each in its own place; ``marking.py`` calls them in turn.

1. *Collect*, ``handed_in.py`` (with ``names.py``, ``whose.py``, ``students.py``): each file with its student and its
   lesson, a ``HandedIn``.
2. *Run*, ``running.py``, and ``student_process.py`` in the process of a notebook: the cells run, and what a cell hands
   to a check is an answer.
3. *Judge*, ``judge_process.py``, in another process: a ``Verdict`` on each answer.
4. *Sheet, letters, overview*, ``rows.py``, ``marks.py`` and ``desk.py``: a ``Row`` for each student and exercise, and
   the pages made of them.

**How is a student's function judged outside her process?** It never leaves her process. The judge calls a stand-in.
Each call of the stand-in is one question to her process and one answer back, and the marking passes both on::

    the student's process            the marking, yours              the judge's process
    student_process.py               running.py                      judge_process.py
    her cells; no exercises          your files; none of her code    the exercises; none of her code

    her cell calls
    check.settle(settle)  ── CellRan: settle, as "function 3" ────▶  the check of settle gets a stand-in
                                                                     and tries its cases, one by one:
    settle([1, 3], 2, True)  ◀── Call: function 3, arguments ──────  it calls the stand-in,
    returns [1, 3, 2, 2]     ─── Outcome: [1, 3, 2, 2] ───────────▶  which returns [1, 3, 2, 2];
                                            ◀── Judged: verdict ───  after the last case

*What is sent* is defined in ``messages.py``. Into a process goes a pickle, because it comes from us. Out of a process
comes one line of JSON, because the student's code may have written it. Numbers, texts, lists, dictionaries and the like
travel as plain data, anything else as its `repr` (``checks/plain_data.py``); a generator travels with its state. An
outcome includes what the function printed and which of its arguments it changed. If the function calls one of ours (an
opponent, `ask`), the question goes back the same way (`AsksBack`, `CalledBack`) before its outcome.

*Limits*: a cell has 30 seconds (``--seconds``), an exercise with all its calls the same again, a notebook ten times
that. Each process has 2 gigabytes of memory (``--gigabytes``). A message from a process has 1,000,000 bytes, an answer
400,000 characters. A notebook's file has 20 megabytes, 1,000 cells and 100,000 characters of code; one notebook
of each lesson is marked for a student. Past the time of an exercise the stand-in raises `OutOfTime`, the student's
process is ended, and a new one runs the other cells. What was late runs once more at the end, alone.

Both processes are contained, as ``outside/contained.py`` says.
"""
