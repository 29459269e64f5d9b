# %% [markdown]
# # First solve
# A sparse system, its solution, and what the result tells.

# %%
import numpy as np
import pyjacobi
import scipy.sparse as sp

rng = np.random.default_rng(1)
n = 2000
off = sp.random_array((n, n), density=5 / n, format="csr", rng=rng)
A = (off + sp.diags_array(np.asarray(abs(off).sum(axis=1)).ravel() + 1.0)).tocsr()
b = A @ np.ones(n)

# %%
result = pyjacobi.solve(A, b)
print(result)
assert result.success and abs(result.x - 1).max() <= result.error_bound

# %% [markdown]
# The pair that SciPy's solvers return is there as well. The bound of the error is proved: no unknown is off by more.

# %%
x, info = result
print(info, result.nit, result.error_bound)

# %%
ax = result.plot()
ax.set_title("norm of the residual over sweeps")
