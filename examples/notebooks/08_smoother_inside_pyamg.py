# %% [markdown]
# # Our smoother inside pyamg
# A hierarchy of pyamg takes any function (A, x, b) that improves x in place.

# %%
import numpy as np
import pyamg
import pyjacobi
import scipy.sparse as sp

A = sp.csr_array(pyjacobi.poisson((100, 100), spacing=1.0).tocsr())
b = np.ones(10000)
ml = pyamg.smoothed_aggregation_solver(A)
for level in ml.levels[:-1]:
    level.presmoother = level.postsmoother = pyjacobi.smoother(level.A, "chebyshev", 2).relax

# %%
residuals = []
x = ml.solve(b, tol=1e-8, residuals=residuals)
print(len(residuals) - 1, "cycles")
assert np.linalg.norm(b - A @ x) < 1e-7 * np.linalg.norm(b)
