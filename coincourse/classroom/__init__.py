"""For teachers: marking what students hand in, in four steps, each in its own place.

1. *Collect*, ``handed_in.py``: whose is each file, and which lesson is it? → ``HandedIn``
2. *Run*, ``running.py``: the cells of one notebook run in a process of their own. → ``Ran``, with the answers
3. *Judge*, ``judge_process.py``: another process judges each answer. → ``Verdict``
4. *Sheet, letters, overview*, ``rows.py``, ``marks.py`` and ``desk.py``: one ``Row`` for each student and
   exercise, and the pages made of them.

``marking.py`` leads through the four. In steps 2 and 3 each notebook has two processes, contained as
``outside/contained.py`` says. They never meet: the marking passes on what they send (``messages.py``).
So a student's function stays where the student's code runs, and is judged where no such code runs::

    the student's process           the marking                  the judge's process
    student_process.py              running.py                   judge_process.py

    runs a cell         ── CellRan: its answers ──▶
                                         ── Answer: number of a function ──▶  judges it by `Check.judge`,
    calls the function  ◀────────────── Call: arguments ───────────────────   which calls a stand-in,
    returns or raises   ─────────────── Outcome: plain data ──────────────▶   which returns or raises that,
                                         ◀──────────── Judged: Verdict ─────  until there is a verdict

One call is one question and one answer, in turn. If the function calls one of ours, such as an opponent,
it sends a question back (``AsksBack``) and waits. Generators travel with their state.

What goes into a process is a pickle, since it is ours. What comes out is one line of JSON, since it may be
anybody's: at most 1,000,000 bytes, and an answer at most 400,000 characters. Each process has ``--gigabytes``
of memory. A cell has ``--seconds``, and so has an exercise with all its calls; a notebook has ten times that.
Past its time the stand-in raises `OutOfTime`, the student's process is ended, and a new one runs the other cells.
Whatever was late runs once more at the end, alone.
"""
