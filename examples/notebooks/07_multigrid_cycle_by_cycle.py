# %% [markdown]
# # Multigrid, cycle by cycle
# `Sweeper` makes as many sweeps as it is told to and stops for nothing: three sweeps are a V(2,1) cycle.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pyjacobi

A = pyjacobi.poisson((127, 127))
b = np.random.default_rng(3).standard_normal((127, 127))
norms = {}
for method, sweeps in (("multigrid", 3), ("plain", 3), ("chebyshev", 3)):
    s = pyjacobi.Sweeper(A, method)
    s.load(b)
    norms[method] = [s.norms().l2]
    for _ in range(10):
        s.advance(sweeps)
        norms[method].append(s.norms().l2)

# %%
for method, told in norms.items():
    plt.semilogy(told, label=method)
plt.xlabel("cycles, or three sweeps")
plt.legend()
fall = norms["multigrid"][-1] / norms["multigrid"][-2]
print(f"a cycle leaves {fall:.3f} of the residual")
assert fall < 0.3
