"""The mean of the scalar softmax stack in powers of t against ``sympy.series``; jets, their ranks, and recovery.

    PYTHONPATH=. python benchmarks/scalar_expansion.py [--full]

Two tokens ``1 +- z``, width 1, scores ``t^2``; the mean after D layers up to ``t^(2 * 3^(D-1))``. The rival is the definition handed to
``sympy.series``, in a process of its own that is stopped after 20 seconds, or 10 minutes with ``--full``. Where it is stopped, its time
is a lower bound, and so is the ratio. Both sides must agree wherever both finish. Processor seconds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import time
from fractions import Fraction
from queue import Empty
from typing import Any

from measure import print_table, timed

from symattn.exact.expansion import expand
from symattn.exact.germs import NetworkGerm
from symattn.exact.jet_ranks import jet_rank_bound
from symattn.exact.jets import jet_differential, jet_of
from symattn.exact.recovery import recover, recover_germ
from symattn.network.parameters import EffectiveParameters, Network
from symattn.network.rational import rational_matrix
from symattn.network.symbolic_files import SymbolicNetwork, symbolic_from_dict
from symattn.normalizers import normalizer

TokenText = tuple[str, str]
NUMBER, SYMBOL = ("3/2", "1/2"), ("1 + z", "1 - z")


def order_of(depth: int) -> int:
    return 2 * 3 ** (depth - 1)


def stack(depth: int, tokens: TokenText) -> SymbolicNetwork:
    """The scalar stack on two tokens given as text."""
    layers = [{"U": [[1]], "W": [[1]]}] * depth
    data = {"symattn": 1, "tokens": 2, "width": 1, "normalizers": "exp(s)", "layers": layers, "bank": [[[x] for x in tokens]]}
    return symbolic_from_dict(data)


def rival(depth: int, tokens: TokenText, results: Any) -> None:
    """``sympy.series`` on the definition; puts the series as text, and its processor seconds."""
    import sympy

    t = sympy.Symbol("t")
    values = [sympy.sympify(x) for x in tokens]
    start = time.process_time()
    for _ in range(depth):
        weights = [[sympy.exp(t**2 * x * y) for y in values] for x in values]
        values = [sum(w * y for w, y in zip(row, values, strict=True)) / sum(row) for row in weights]
    series = sympy.series(sum(values) / 2, t, 0, order_of(depth) + 1).removeO()
    results.put((str(sympy.expand(series)), time.process_time() - start))


def rival_within(depth: int, tokens: TokenText, limit: float) -> tuple[str | None, float]:
    """The rival's result, or ``None`` and the limit if it was stopped."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=rival, args=(depth, tokens, results))
    process.start()
    try:
        return results.get(timeout=limit)  # type: ignore[no-any-return]
    except Empty:
        return None, limit
    finally:
        process.terminate()
        process.join()


def compare(depths: dict[TokenText, int], limit: float) -> None:
    import sympy

    rows = []
    for tokens, deepest in depths.items():
        for depth in range(1, deepest + 1):
            network = stack(depth, tokens)
            expand(network, 2)  # what is loaded once is not counted
            expansion, ours = min(
                (timed(lambda network=network, depth=depth: expand(network, order_of(depth))) for _ in range(3)), key=lambda r: r[1]
            )
            text, seconds = rival_within(depth, tokens, limit) if depth <= 3 else (None, 0.0)
            if text is not None:
                found = expansion.layers[-1].mean[0].expression()
                if sympy.expand(sympy.sympify(text) - found) != 0:
                    raise SystemExit(f"the two expansions differ at depth {depth}, tokens {tokens}")
            shown = f"{seconds:.3g}" if text is not None else f"stopped at {limit:.0f}" if depth <= 3 else "not tried"
            ratio = f"{seconds / ours:.0f}" if text is not None else f"more than {seconds / ours:.0f}" if depth <= 3 else ""
            rows.append((depth, order_of(depth), tokens[0], ours, shown, ratio))
    print_table(("D", "order in t", "first token", "symattn, s", "sympy.series, s", "ratio"), rows)


def random_network(tokens: int, width: int, texts: list[str], seed: int = 0) -> Network:
    source = random.Random(seed)

    def matrix() -> Any:
        return rational_matrix(
            [[Fraction(source.choice([-3, -2, -1, 1, 2, 3]), source.choice([1, 2, 3])) for _ in range(width)] for _ in range(width)]
        )

    return Network(tokens, tuple(normalizer(text) for text in texts), EffectiveParameters(matrix(), tuple(matrix() for _ in texts)))


def ranks(cases: list[tuple[int, int, int, int]]) -> None:
    rows = []
    for n, d, depth, order in cases:
        network = random_network(n, d, ["exp(s)"] * depth)
        jet, jet_seconds = timed(lambda network=network, order=order: jet_of(network, order))
        exact, exact_seconds = timed(lambda network=network, order=order: jet_differential(network, order))
        bound, bound_seconds = timed(lambda network=network, order=order: jet_rank_bound(network, order))
        monomials = len(jet.coefficients)
        rows.append(
            (
                n,
                d,
                depth,
                order,
                monomials,
                jet_seconds,
                f"{exact.rank} of {exact.parameters}",
                exact_seconds,
                bound.ranks[order],
                bound_seconds,
            )
        )
    print_table(("n", "d", "D", "N", "monomials", "jet, s", "rank", "exact, s", "from points", "points, s"), rows)


def points_only(cases: list[tuple[int, int, int, int]]) -> None:
    rows = []
    for n, d, depth, order in cases:
        bound, seconds = timed(lambda n=n, d=d, depth=depth, order=order: jet_rank_bound(random_network(n, d, ["exp(s)"] * depth), order))
        rows.append((n, d, depth, order, f"{bound.ranks[order]} of {bound.parameters}", seconds))
    print_table(("n", "d", "D", "N", "rank from points", "s"), rows)


def recoveries(cases: list[tuple[int, int, list[str], int, bool]]) -> None:
    rows = []
    for n, d, texts, order, stored in cases:
        network = random_network(n, d, texts)
        if stored:
            jet = jet_of(network, order)
            found, seconds = timed(lambda jet=jet: recover(jet))
        else:
            germ = NetworkGerm(network, order)
            found, seconds = timed(lambda germ=germ: recover_germ(germ, germ.network.tokens, germ.network.width, germ.network.normalizers))
        if found.parameters != network.parameters:
            raise SystemExit(f"another tuple was recovered: {n}, {d}, {texts}")
        rows.append((n, d, len(texts), ", ".join(texts), order, "jet" if stored else "network", seconds))
    print_table(("n", "d", "D", "normalizers", "N", "source", "s"), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="let the rival run for ten minutes, and take larger jets")
    full = parser.parse_args().full
    print("Mean of the scalar stack\n")
    compare({NUMBER: 4, SYMBOL: 4}, 600 if full else 20)
    print("\nRank of D T_N\n")
    ranks([(2, 2, 2, 7), (2, 1, 3, 19), (3, 2, 2, 7), (2, 3, 2, 7), *([(3, 3, 2, 7), (2, 2, 3, 19)] if full else [])])
    print("\nRank of D T_N from inputs modulo a prime\n")
    points_only([(3, 3, 2, 7), (2, 2, 3, 19), (4, 4, 2, 7), *([(2, 3, 3, 19), (2, 1, 4, 55)] if full else [])])
    print("\nRecovery\n")
    cases = [(2, 3, ["exp(s)", "exp(s)"], 7, True), (3, 3, ["exp(s)", "exp(s)"], 7, False), (2, 3, ["exp(s)"] * 3, 19, False)]
    recoveries([*cases, *([(3, 3, ["exp(s)", "exp(s)"], 7, True)] if full else [])])


if __name__ == "__main__":
    main()
