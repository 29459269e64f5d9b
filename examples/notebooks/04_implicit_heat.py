# %% [markdown]
# # Implicit heat
# du/dt = laplacian u by backward Euler: (1/dt - laplacian) u_next = u / dt. The operator is bound once.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pyjacobi

n, dt = 127, 1e-3
solver = pyjacobi.Solver(pyjacobi.poisson((n, n), reaction=1 / dt))
at = np.arange(1, n + 1) / (n + 1)
u = np.outer(np.sin(np.pi * at), np.sin(np.pi * at))
start = u.max()

# %%
sweeps = []
for _ in range(10):
    result = solver.solve(u / dt, u, on_failure="raise")
    u = result.x
    sweeps.append(result.nit)
print(solver.method, sweeps)

# %% [markdown]
# Each step divides the lowest mode by 1 + dt lambda:

# %%
factor = (u.max() / start) ** (1 / 10)
expected = 1 / (1 + dt * 2 * np.pi**2)
print(factor, expected)
assert abs(factor - expected) < 1e-5
plt.plot(u[n // 2], label="u in the middle")
plt.legend()
