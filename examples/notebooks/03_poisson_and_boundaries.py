# %% [markdown]
# # Poisson's equation and what holds on the sides
# Unknowns lie inside the box; points on Neumann sides are unknowns too. The last axis is x.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pyjacobi

A = pyjacobi.poisson((64, 128), domain=((0, 1), (0, 2)), bc={"y-": ("neumann", 1.0), "x+": ("dirichlet", 0.5)})
print(A, A.singular)
result = pyjacobi.solve(A, np.ones(A.grid_shape))
assert result.success

# %%
plt.imshow(result.x, origin="lower", extent=(0, 2, 0, 1))
plt.colorbar(label="u")

# %% [markdown]
# The error falls with the square of the distance of points:

# %%
for n in (15, 31, 63, 127):
    at = np.arange(1, n + 1) / (n + 1)
    exact = np.outer(np.sin(np.pi * at), np.sin(2 * np.pi * at))
    u = pyjacobi.solve(pyjacobi.poisson((n, n)), 5 * np.pi**2 * exact, rtol=1e-10).x
    print(n, abs(u - exact).max())
assert abs(u - exact).max() < 5e-4
