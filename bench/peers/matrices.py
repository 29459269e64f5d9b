"""Symmetric positive definite matrices of about so many unknowns, written as Matrix Market files."""

import os

import numpy as np
import scipy.io
import scipy.sparse as sp
import scipy.spatial


def lines(n):
    return sp.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1])


def five_point(unknowns, stretch=1.0):
    n = round(unknowns ** 0.5)
    return sp.kron(sp.eye(n), lines(n)) + stretch * sp.kron(lines(n), sp.eye(n))


def seven_point(unknowns):
    n = round(unknowns ** (1 / 3))
    plane = five_point(n * n)
    return sp.kron(sp.eye(n), plane) + sp.kron(lines(n), sp.eye(n * n))


def delaunay(unknowns):
    """The graph's Laplacian of a triangulation of seeded random points, without those of the hull."""
    points = np.random.default_rng(1).random((unknowns, 2))
    mesh = scipy.spatial.Delaunay(points)
    edges = np.vstack([mesh.simplices[:, [0, 1]], mesh.simplices[:, [1, 2]], mesh.simplices[:, [2, 0]]])
    graph = sp.coo_matrix((np.ones(len(edges)), edges.T), shape=(unknowns, unknowns)).tocsr()
    graph = ((graph + graph.T) > 0).astype(float)
    laplacian = sp.diags(np.asarray(graph.sum(axis=1)).ravel()) - graph
    inside = np.setdiff1d(np.arange(unknowns), np.unique(mesh.convex_hull))
    return laplacian.tocsr()[inside][:, inside]


def jumps(unknowns):
    """-div(k grad u), k of 1 and 10000 in squares like a chess board's, harmonic means between points."""
    n = round(unknowns ** 0.5)
    square = np.arange(n + 2) * 8 // (n + 2)
    k = np.where((square[:, None] + square[None, :]) % 2, 1e4, 1.0)
    across = 2 * k[:, :-1] * k[:, 1:] / (k[:, :-1] + k[:, 1:])
    down = 2 * k[:-1] * k[1:] / (k[:-1] + k[1:])
    east, south = across[1:-1, 1:], down[1:, 1:-1]
    west, north = across[1:-1, :-1], down[:-1, 1:-1]
    inner_east, inner_south = east.copy(), south.copy()
    inner_east[:, -1] = 0
    inner_south[-1] = 0
    e, s = -inner_east.ravel()[:-1], -inner_south.ravel()[:-n]
    return sp.diags([(east + west + south + north).ravel(), e, e, s, s], [0, 1, -1, n, -n])


def rotated(unknowns):
    """Diffusion 1000 times as strong along 30 degrees, nine points."""
    n, c, s, weak = round(unknowns ** 0.5), np.cos(np.pi / 6), np.sin(np.pi / 6), 1e-3
    xx, yy, xy = c * c + weak * s * s, s * s + weak * c * c, (1 - weak) * c * s
    middle = sp.diags([-0.5 * np.ones(n - 1), 0.5 * np.ones(n - 1)], [-1, 1])
    return (xx * sp.kron(sp.eye(n), lines(n)) + yy * sp.kron(lines(n), sp.eye(n))
            - 2 * xy * sp.kron(middle, middle))


KINDS = {
    "5-point": five_point,
    "7-point": seven_point,
    "delaunay": delaunay,
    "anisotropic": lambda unknowns: five_point(unknowns, 1e-3),
    "jump-1e4": jumps,
    "rotated": rotated,
}


def written(name, unknowns, folder):
    """The matrix's file, and that of a right-hand side of ones."""
    path = os.path.join(folder, f"{name}-{unknowns}.mtx")
    ones = path.removesuffix(".mtx") + "-b.npy"
    if not os.path.exists(ones):  # written last
        a = sp.coo_matrix(KINDS[name](unknowns))
        scipy.io.mmwrite(path, a, symmetry="symmetric", precision=17)
        np.save(ones, np.ones(a.shape[0]))
    return path, ones
