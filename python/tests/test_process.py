"""Signals, forks, threads, logging: what a process does to a solve, and a solve to a process."""

from __future__ import annotations

import gc
import logging
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pyjacobi
import pytest


def long_solve(**options):
    A = pyjacobi.poisson((400, 400))
    return pyjacobi.solve(A, np.ones((400, 400)), method="plain", rtol=1e-14, max_seconds=20, **options)


def test_ctrl_c_ends_a_solve_and_keeps_the_iterate():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(pyjacobi.Interrupted) as caught:
        long_solve()
    assert time.monotonic() - start < 5
    result = caught.value.result
    assert result.status == "interrupted" and result.nit > 0 and result.x.any() and result.info == result.nit


def test_ctrl_c_is_a_keyboard_interrupt():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        long_solve()


def test_ctrl_c_ends_a_diagnosis():
    rng = np.random.default_rng(0)
    import scipy.sparse as sparse

    n, each = 400_000, 12
    columns = rng.integers(0, n, n * each)
    A = sparse.csr_array((rng.standard_normal(n * each), (np.repeat(np.arange(n), each), columns)), shape=(n, n))
    A = (A + sparse.eye_array(n) * 9).tocsr()
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            pyjacobi.diagnose(A, budget=1000)
    assert time.monotonic() - start < 10


def interrupt_in(seconds):
    """SIGINT to this process; returns when it was sent, as a list of one time."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(seconds, send).start()
    return sent


def test_ctrl_c_ends_sweeps_and_the_sweeper_keeps_its_iterate():
    s = pyjacobi.Sweeper(pyjacobi.poisson((300, 300)))
    s.load(np.ones((300, 300)))
    sent = interrupt_in(0.3)
    with pytest.raises(pyjacobi.Interrupted, match="sweeps were made"):
        s.advance(10**7)
    assert time.monotonic() - sent[0] < 3
    made = s.sweeps
    assert 0 < made < 10**7 and s.x.any()
    again = pyjacobi.Sweeper(pyjacobi.poisson((300, 300)))
    again.load(np.ones((300, 300)))
    again.advance(made)
    assert np.array_equal(again.x, s.x)


def test_ctrl_c_ends_tuning():
    solver = pyjacobi.Solver(pyjacobi.poisson((300, 300)), "plain")
    sent = interrupt_in(0.5)
    with pytest.raises(pyjacobi.Interrupted):
        solver.tune(60)
    assert time.monotonic() - sent[0] < 20


def test_ctrl_c_ends_relaxation_and_x_is_an_iterate():
    A = pyjacobi.poisson((200, 200)).tocsr()
    x, b = np.zeros(40_000), np.ones(40_000)
    sent = interrupt_in(0.3)
    with pytest.raises(pyjacobi.Interrupted, match="last sweep that was finished"):
        pyjacobi.relaxation.jacobi(A, x, b, iterations=10**12)
    assert time.monotonic() - sent[0] < 3
    assert np.isfinite(x).all() and x.min() > 0 and x.max() < 1


def test_a_handler_that_raises_something_else_is_heard():
    class Alarm(Exception):
        pass

    def ring(*_):
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Alarm):
            long_solve()
    finally:
        signal.signal(signal.SIGALRM, before)


def test_other_threads_run_meanwhile():
    counted = []
    stop = threading.Event()

    def count():
        while not stop.wait(0.005):
            counted.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    A = pyjacobi.poisson((300, 300))
    pyjacobi.solve(A, np.ones((300, 300)), method="plain", max_seconds=0.5, on_failure="ignore")
    stop.set()
    thread.join()
    assert len(counted) > 10


def test_different_systems_are_solved_at_once():
    def run(n, told):
        A = pyjacobi.poisson((n, n))
        told[n] = pyjacobi.solve(A, np.ones((n, n)), method="plain", rtol=1e-6).x

    told, alone = {}, {}
    for n in (20, 30, 40, 50):
        run(n, alone)
    threads = [threading.Thread(target=run, args=(n, told)) for n in alone]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(np.array_equal(told[n], alone[n]) for n in alone)


def test_a_child_of_a_fork_solves_on_one_thread():
    program = """
import os, warnings
import numpy as np, pyjacobi
A = pyjacobi.poisson((300, 300))
b = np.ones((300, 300))
pyjacobi.solve(A, b, method="plain", threads=2, maxiter=200, on_failure="ignore")
pid = os.fork()
if pid == 0:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        r = pyjacobi.solve(A, b, method="plain", threads=2, maxiter=200, on_failure="ignore")
    told = any("forked" in str(w.message) for w in caught)
    os._exit(0 if r.report.threads == 1 and told else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=60)


def test_nothing_is_printed_but_the_log_tells(capfd, caplog):
    with caplog.at_level(logging.INFO, logger="pyjacobi"):
        pyjacobi.solve(pyjacobi.poisson((20, 20)), np.ones(400))
    assert "converged" in caplog.text and capfd.readouterr() == ("", "")


def test_progress_is_drawn_on_standard_error(capfd):
    pytest.importorskip("pyjacobi")
    A = pyjacobi.poisson((300, 300))
    pyjacobi.solve(A, np.ones((300, 300)), method="plain", max_seconds=0.5, progress=True, on_failure="ignore")
    out, err = capfd.readouterr()
    assert "sweeps" in err and out == ""


def test_a_check_that_is_over_has_no_iterate():
    kept = []

    def keep(check):
        kept.append(check)
        raise KeyError("enough")

    with pytest.raises(KeyError):
        pyjacobi.solve(pyjacobi.poisson((9, 9)), np.ones(81), callback=keep)
    with pytest.raises(pyjacobi.UsageError, match="only while the callback runs"):
        kept[0].x


def test_an_exception_in_a_callback_leaks_nothing():
    class Big(Exception):
        living = 0

        def __init__(self):
            Big.living += 1

        def __del__(self):
            Big.living -= 1

    def fail(check):
        raise Big

    for _ in range(5):
        with pytest.raises(Big):
            pyjacobi.solve(pyjacobi.poisson((9, 9)), np.ones(81), callback=fail)
    gc.collect()
    assert Big.living == 0


EXITS = {
    "solve": "pyjacobi.solve(A, b, method='plain', rtol=1e-15, on_failure='ignore')",
    "callback": "pyjacobi.solve(A, b, method='plain', rtol=1e-15, check_every=10, callback=lambda c: None)",
    "products": "M = A.tocsr()\npyjacobi.solve(aslinearoperator(M), b.ravel(), method='plain', diagonal=M.diagonal())",
    "sweeper": "s = pyjacobi.Sweeper(A); s.load(b); s.advance(10**9)",
    "relaxation": "M = A.tocsr(); pyjacobi.relaxation.jacobi(M, b.ravel().copy(), b.ravel(), iterations=10**9)",
    "smoother": "M = pyjacobi.smoother(A, sweeps=1000)\nwhile True: M @ b.ravel()",
    "diagnose": "M = A.tocsr()\nwhile True: pyjacobi.diagnose(M, budget=1000)",
}


@pytest.mark.parametrize("call", EXITS)
def test_a_daemon_thread_that_solves_lets_the_process_exit(call):
    program = f"""
import ctypes
libc = ctypes.CDLL(None)  # between the end of the interpreter and that of the process, 0.3 s
libc.__cxa_atexit(libc.usleep, ctypes.c_void_p(300_000), None)
import threading, time, numpy as np, pyjacobi
from scipy.sparse.linalg import aslinearoperator
A = pyjacobi.poisson((600, 600))
b = np.ones((600, 600))
def work():
    exec({EXITS[call]!r}, globals())
threading.Thread(target=work, daemon=True).start()
time.sleep(0.4)
"""
    for _ in range(2):
        command = [sys.executable, "-W", "ignore", "-c", program]
        ended = subprocess.run(command, timeout=60, capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, "")


def cube():
    A = pyjacobi.poisson((46, 46, 46)).tocsr()  # whose factor takes minutes
    return lambda: pyjacobi.diagnose(A, cholesky="always")


def full():
    n = 4000
    r = np.random.default_rng(0).standard_normal((n, n))
    A = r + r.T + np.diag(np.full(n, 20 * n**0.5))
    return lambda: pyjacobi.diagnose(A, cholesky="always")


def many_cycles():
    M, r = pyjacobi.multigrid(pyjacobi.poisson((500, 500)), cycles=1000), np.ones(250_000)
    return lambda: M @ r


def many_cycles_of_a_matrix():
    M, r = pyjacobi.amg(pyjacobi.poisson((250, 250)).tocsr(), cycles=1000), np.ones(62_500)
    return lambda: M @ r


def many_sweeps():
    A = pyjacobi.poisson((700, 700)).tocsr()
    A.data[::7] *= 1.01  # no grid
    M, r = pyjacobi.smoother(A, "plain", sweeps=1000), np.ones(490_000)
    return lambda: M @ r


def tuning():
    solver = pyjacobi.Solver(pyjacobi.poisson((700, 700)), "plain")
    return lambda: solver.tune(120)


def entries():
    A = pyjacobi.poisson((110, 110, 110))
    return lambda: A.tocsr()


def coefficients():
    k = np.ones((162, 162, 162))
    return lambda: pyjacobi.diffusion(k)


def sides_in_parts():
    k, half = np.ones((110, 110, 110)), np.arange(108) < 50
    bc = {"x-": [("dirichlet", 1.0, np.broadcast_to(half, (108, 108))), "neumann"]}
    return lambda: pyjacobi.diffusion(k, bc=bc)


def steps_in_time():
    A = pyjacobi.diffusion(np.ones((110, 110, 110)))
    return lambda: pyjacobi.Heat(A, 0.0, dt=0.01).run(1)


@pytest.mark.parametrize(
    "make",
    [cube, full, many_cycles, many_cycles_of_a_matrix, many_sweeps, tuning, entries, coefficients, sides_in_parts,
     steps_in_time],
)
def test_ctrl_c_acts_at_once(make):
    call, late = make(), []
    for _ in range(5):  # the best of some: other processes may have the cores
        sent = interrupt_in(0.5)
        with pytest.raises(KeyboardInterrupt):
            while time.monotonic() < (sent or [time.monotonic()])[0] + 60:
                call()
        late.append(time.monotonic() - sent[0])
        if late[-1] < 0.3:
            return
    raise AssertionError(late)


def test_ctrl_c_in_a_smoother_leaves_an_iterate():
    A = pyjacobi.poisson((700, 700)).tocsr()
    A.data[::7] *= 1.01
    M, x, b = pyjacobi.smoother(A, "weighted", sweeps=1000), np.zeros(490_000), np.ones(490_000)
    interrupt_in(0.3)
    with pytest.raises(pyjacobi.Interrupted, match="x has the sweeps that were made"):
        while True:
            M.relax(A, x, b)
    assert np.isfinite(x).all() and x.any()


def test_a_preconditioner_in_portions_has_the_bits_of_single_sweeps():
    A, r = pyjacobi.poisson((300, 300)), np.random.default_rng(0).standard_normal(90_000)
    s = pyjacobi.Sweeper(A)
    s.load(r)
    s.advance(700)
    assert np.array_equal(pyjacobi.smoother(A, "plain", 700) @ r, s.x)


FORKS = {
    "Solver": ("S = pyjacobi.Solver(A, 'plain')", "S.solve(b, maxiter={n}, on_failure='ignore').x"),
    "Sweeper": ("S = pyjacobi.Sweeper(A); S.load(b)", "S.advance({n})"),
    "smoother": ("S = pyjacobi.smoother(A, 'plain', 1000)", "S @ b.ravel()"),
    "solve": ("", "pyjacobi.solve(A, b, method='plain', maxiter={n}, on_failure='ignore')"),
}


@pytest.mark.parametrize("what", FORKS)
def test_a_child_of_a_fork_beside_a_solving_thread_solves(what):
    make, use = FORKS[what]
    program = f"""
import os, threading, time, numpy as np, pyjacobi
A = pyjacobi.poisson((300, 300))
b = np.ones((300, 300))
{make}
def work():
    while True:
        {use.format(n=10**6)}
threading.Thread(target=work, daemon=True).start()
for wait in (0.3, 0.05, 0.07):
    time.sleep(wait)
    pid = os.fork()
    if pid == 0:
        if {what!r} == "Sweeper":
            try:
                S.advance(1)
                os._exit(2)
            except pyjacobi.UsageError as error:  # its iterate was another thread's
                assert "call load(b, x) first" in str(error)
            S.load(b)
        {use.format(n=200)}
        r = pyjacobi.solve(A, b, maxiter=3, on_failure="ignore")
        os._exit(0 if r.report.threads == 1 and any("forked" in note for note in r.notes) else 1)
    for _ in range(300):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(pid, 9)
        os._exit(3)
    if status:
        os._exit(os.waitstatus_to_exitcode(status))
os._exit(0)
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=120)
