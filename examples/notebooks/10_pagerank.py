# %% [markdown]
# # PageRank
# (I - d P^T) x = (1 - d) / n: plain Jacobi is the power iteration, and a contraction by d.

# %%
import numpy as np
import pyjacobi
import scipy.sparse as sp

rng = np.random.default_rng(5)
n, d = 5000, 0.85
links = sp.random_array((n, n), density=8 / n, format="csr", rng=rng)
links.data[:] = 1
links.setdiag(0)
links.eliminate_zeros()
out = np.asarray(links.sum(axis=1)).ravel()
P = sp.diags_array(1 / np.maximum(out, 1)) @ links
A = (sp.eye_array(n) - d * P.T).tocsr()
b = np.full(n, (1 - d) / n)

# %%
told = pyjacobi.diagnose(A, b)
print(told.converges, told.bound)
result = pyjacobi.solve(A, b, method="plain")
print(result.nit, "sweeps; the largest error is at most", result.error_bound)
assert told.converges and result.success

# %%
best = np.argsort(result.x)[::-1][:5]
print(best, result.x[best])
