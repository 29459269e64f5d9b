# %% [markdown]
# # Singular systems
# Without a Dirichlet side and without a reaction, solutions differ by a constant. A right-hand side has one only where
# its mean is 0.

# %%
import numpy as np
import pyjacobi

A = pyjacobi.poisson((32, 32), bc="periodic")
print(A.singular)
b = np.random.default_rng(0).standard_normal((32, 32))
try:
    pyjacobi.solve(A, b)
except pyjacobi.InputError as error:
    print(error)

# %%
result = pyjacobi.solve(A, b - b.mean())
print(result.notes)
assert result.success and abs(result.x.mean()) < 1e-8

# %% [markdown]
# `project_rhs` removes the mean, and a note says how much.

# %%
projected = pyjacobi.solve(A, b, project_rhs=True)
print(projected.notes[-1])
assert np.allclose(projected.x, result.x, atol=1e-6)
