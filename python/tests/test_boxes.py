"""Box stencils: orders, sides, refusals."""

import pickle

import numpy as np
import pyjacobi
import pytest


def error(points):
    def u(x, y):
        return np.exp(x) * np.sin(2 * y)

    A = pyjacobi.compact_poisson((points - 2, points - 2), domain=[(0, 1), (0, 2)])
    b = A.rhs(lambda x, y: 3 * u(x, y), u)
    x = pyjacobi.solve(A, b, rtol=1e-11).x
    inner = np.meshgrid(np.linspace(0, 1, points)[1:-1], np.linspace(0, 2, points)[1:-1], indexing="ij")
    return abs(x - u(inner[1], inner[0])).max()


def test_the_compact_laplacian_is_of_fourth_order():
    assert 15 < error(17) / error(33) < 17


def test_a_tensor_is_solved_as_its_matrix():
    A = pyjacobi.tensor_diffusion((9, 12), [[2, 0.9], [0.9, 1]], bc={"x": "periodic"}, reaction=0.5)
    b = A.rhs(1.0, 2.0)
    right = np.linalg.solve(A.toarray(), b.ravel()).reshape(A.grid_shape)
    for method in ("auto", "chebyshev", "bicgstab", "weighted"):
        assert np.allclose(pyjacobi.solve(A, b, method=method, rtol=1e-12).x, right)
    eigenvalues = np.linalg.eigvals(A.toarray() / A.toarray()[0, 0]).real
    low, high = A.bounds()
    assert 0 < low <= eigenvalues.min() + 1e-14
    assert high >= eigenvalues.max() - 1e-14
    assert A.points_shape == (11, 12)
    assert not A.singular
    assert pyjacobi.compact_poisson(8, bc="periodic").singular


def test_an_operator_is_pickled_and_narrowed():
    A = pickle.loads(pickle.dumps(pyjacobi.tensor_diffusion((5, 6), (1, 0.2, 1))))
    assert A.astype(np.float32).dtype == np.float32
    x = np.arange(30.0)
    assert np.allclose(A @ x, A.toarray() @ x)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pyjacobi.tensor_diffusion((4, 4), (1, 2, 1)), "not positive definite"),
        (lambda: pyjacobi.tensor_diffusion((4, 4), (1, 2)), "3 entries, kxx,kxy,kyy, as 2,0.5,1"),
        (lambda: pyjacobi.tensor_diffusion((4, 4), [[1, 0.5], [0.4, 1]]), "symmetric"),
        (lambda: pyjacobi.tensor_diffusion((4, 4), (1, 0.5, 1), bc="neumann"), "insulated"),
        (lambda: pyjacobi.compact_poisson((4, 4), bc={"x-": ("dirichlet", 1.0)}), "rhs"),
        (lambda: pyjacobi.compact_poisson((4, 4)).rhs(np.ones((4, 4))), r"\(6, 6\)"),
        (lambda: pyjacobi.compact_poisson((4, 4), reaction=-1), "reaction"),
        (
            lambda: pyjacobi.solve(pyjacobi.compact_poisson((4, 4)), np.ones((4, 4)), method="multigrid"),
            "stars of neighbours",
        ),
    ],
)
def test_what_cannot_be_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
