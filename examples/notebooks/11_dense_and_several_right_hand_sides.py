# %% [markdown]
# # Dense matrices, several right-hand sides
# Arrays in C and F order are read where they lie. A dense matrix is read once for up to eight right-hand sides.

# %%
import numpy as np
import pyjacobi

rng = np.random.default_rng(7)
n = 500
A = rng.standard_normal((n, n))
A += np.diag(abs(A).sum(axis=1))
B = rng.standard_normal((n, 12)) * 10.0 ** -np.arange(12)

# %%
result = pyjacobi.solve(A, B)
print(result.columns)
assert np.allclose(A @ result.x, B, rtol=0, atol=1e-7)

# %% [markdown]
# Each column is held to its own tolerance, however small it is:

# %%
errors = np.linalg.norm(A @ result.x - B, axis=0) / np.linalg.norm(B, axis=0)
print(errors)
assert errors.max() <= 1e-8

# %% [markdown]
# Entries stored as bfloat16 while they are swept, refined in double: fewer bytes, the same tolerance.

# %%
narrow = pyjacobi.solve(A, B[:, 0], method="plain", matrix_precision="bf16")
print(narrow)
assert narrow.success
