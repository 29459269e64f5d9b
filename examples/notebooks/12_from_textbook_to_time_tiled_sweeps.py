# %% [markdown]
# # From the textbook's loop to time-tiled sweeps
# Every rung of the ladder gives the bits of the textbook's loop; only the time differs.

# %%
import time

import matplotlib.pyplot as plt
import numpy as np
import pyjacobi

for rung in pyjacobi.algorithms()["grid"]:
    print(rung["name"], "-", rung["summary"])

# %%
A = pyjacobi.poisson((510, 510))
b = np.ones((510, 510))
answers, seconds = {}, {}
for rung in ("textbook", "simd", "threads", "tiled"):
    s = pyjacobi.Sweeper(A, rung=rung)
    s.load(b)
    begin = time.perf_counter()
    s.advance(200)
    seconds[rung] = time.perf_counter() - begin
    answers[rung] = s.x
assert all(np.array_equal(x, answers["textbook"]) for x in answers.values())

# %%
updates = {rung: 200 * A.shape[0] / t / 1e9 for rung, t in seconds.items()}
print({rung: f"{value:.2f} billion updates/s" for rung, value in updates.items()})
plt.bar(list(updates), list(updates.values()))
plt.ylabel("billion updates/s")
