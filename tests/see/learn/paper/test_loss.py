"""The paper's loss, by hand."""

import pytest

torch = pytest.importorskip("torch")

from texedo.see.learn.paper.loss import distances, match_loss  # noqa: E402


def test_distances_of_a_3_4_5_triangle() -> None:
    texts = torch.tensor([[0.0, 0.0], [3.0, 4.0]])
    motions = torch.tensor([[3.0, 4.0], [3.0, 0.0]])
    expected = torch.tensor([[5.0, 3.0], [0.0, 4.0]])
    torch.testing.assert_close(distances(texts, motions), expected, atol=2e-5, rtol=0)


def test_the_loss_of_two_pairs_by_hand() -> None:
    # (0.5^2 + 1.0^2) / 2 = 0.625; ((2 - 1.5)^2 + 0) / 2 = 0.125.
    distance = torch.tensor([[0.5, 1.5], [3.0, 1.0]])
    assert float(match_loss(distance)) == pytest.approx(0.75)
    # A margin of 4: ((4 - 1.5)^2 + (4 - 3)^2) / 2 = 3.625.
    assert float(match_loss(distance, margin=4.0)) == pytest.approx(4.25)


def test_pairs_that_say_the_same_are_not_pushed_apart() -> None:
    distance = torch.tensor([[0.0, 1.0, 0.5], [2.0, 0.0, 2.0], [0.5, 2.0, 0.0]])
    same = torch.eye(3, dtype=torch.bool)
    same[0, 2] = same[2, 0] = True
    # Of the four pairs left only one is nearer than 2: (2 - 1)^2 / 4.
    assert float(match_loss(distance, same=same)) == pytest.approx(0.25)


def test_a_batch_of_one_and_equal_vectors_have_finite_slopes() -> None:
    texts = torch.ones(1, 4, requires_grad=True)
    match_loss(distances(texts, torch.ones(1, 4))).backward()
    assert texts.grad is not None and torch.isfinite(texts.grad).all()
