"""pyamg's smoothed aggregation, V(1,1) of weighted Jacobi, with cg, right-hand side 1: pyamg_matrix.py FILE.mtx RTOL."""

import json
import sys
import time

import numpy as np
import pyamg
import scipy.io

a = scipy.io.mmread(sys.argv[1]).tocsr()
b = np.ones(a.shape[0])
sweep = ("jacobi", {"omega": 4 / 3, "iterations": 1})  # over the spectral radius of D^-1 A
start = time.perf_counter()
levels = pyamg.smoothed_aggregation_solver(a, strength=("symmetric", {"theta": 0.08}), presmoother=sweep,
                                           postsmoother=sweep, max_coarse=300)
ready = time.perf_counter()
norms = []
x = levels.solve(b, tol=float(sys.argv[2]), maxiter=1000, accel="cg", residuals=norms)
end = time.perf_counter()
print(json.dumps({"setup": ready - start, "solve": end - ready, "iterations": len(norms) - 1,
                  "residual": np.linalg.norm(b - a @ x) / np.linalg.norm(b)}))
