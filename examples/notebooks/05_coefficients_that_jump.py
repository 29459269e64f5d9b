# %% [markdown]
# # Coefficients that jump
# -div(k grad u) with k from 1 to 10000. Cycles alone converge slowly then; cg preconditioned by a cycle does not.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pyjacobi

k = np.ones((130, 130))
k[40:90, 30:60] = 1e4
k[60:70, 80:120] = 1e-2
A = pyjacobi.diffusion(k)
b = np.ones(A.grid_shape)

# %%
for options in ({}, {"method": "cg"}, {"method": "cg", "M": pyjacobi.multigrid(A)}):
    result = pyjacobi.solve(A, b, **options)
    print(result.method, result.nit, result.status)
    assert result.success
    plt.semilogy(result.history["sweeps"], result.history["norm"], label=str(sorted(options)))
plt.legend()

# %%
plt.figure()
plt.imshow(result.x, origin="lower")
