# %% [markdown]
# # Diagnose first
# Before any sweep: what is proved of plain Jacobi, what is estimated, which method is advised.

# %%
import numpy as np
import pyjacobi

A = pyjacobi.poisson((40, 40)).tocsr()
b = np.ones(1600)
d = pyjacobi.diagnose(A, b)
print(d)

# %% [markdown]
# `converges` is True or False where that is proved of every start, None where it is not.

# %%
print(d.converges, d.verdict, d.method, d.spectral_radius)
made = pyjacobi.solve(A, b, method="plain", recognise_grids=False)
print(f"predicted {d.predicted_sweeps:.0f} sweeps, made {made.nit}")
assert d.converges is True and 0.5 < made.nit / d.predicted_sweeps < 2

# %% [markdown]
# A matrix for which plain Jacobi diverges, and what is advised instead:

# %%
S = np.full((4, 4), 0.8) + 0.2 * np.eye(4)
worse = pyjacobi.diagnose(S)
print(worse.converges, worse.method, worse.best_omega)
assert worse.converges is False and pyjacobi.solve(S, np.ones(4)).success

# %%
p = pyjacobi.predict(A, b)
print(p)
