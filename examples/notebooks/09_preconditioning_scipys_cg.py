# %% [markdown]
# # Preconditioning SciPy's cg
# A `Preconditioner` is a `LinearOperator`.

# %%
import numpy as np
import pyjacobi
from scipy.sparse.linalg import cg

A = pyjacobi.poisson((100, 100))
b = np.ones(10000)
counts = {}
preconditioners = {"none": None, "chebyshev, 3 sweeps": pyjacobi.smoother(A), "V(2,2)": pyjacobi.multigrid(A)}
for name, M in preconditioners.items():
    iterations = []
    x, info = cg(A, b, M=M, rtol=1e-8, callback=iterations.append)
    assert info == 0
    counts[name] = len(iterations)
print(counts)

# %% [markdown]
# `pyjacobi.linalg.cg` has the same signature, and says converged of a residual computed anew.

# %%
x, info = pyjacobi.linalg.cg(A, b, rtol=1e-8)
assert info == 0 and counts["V(2,2)"] < counts["chebyshev, 3 sweeps"] < counts["none"]
