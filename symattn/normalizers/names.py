"""Names of well-known normalizers, and the expressions that they stand for."""

from __future__ import annotations

__all__ = ["EXPRESSIONS"]

#: Names and the expressions that they stand for.
EXPRESSIONS: dict[str, str] = {
    "softmax": "exp(s)",
    "sigmoid": "sigmoid(s)",
    "softplus": "softplus(s)",
    "linear": "1 + s",
    "geometric": "1/(1 - s)",
    "log1p": "1 + log(1 + s)",
    "gaussian": "exp(s**2)",
    "cubic exponential": "exp(s**3)",
    "quadratic": "1 + s**2",
    "cubic": "1 + s**3",
    "quadratic softmax": "exp(s + s**2)",
    "cosh": "cosh(s)",
    "sech": "1/cosh(s)",
    "cos": "cos(s)",
    "sinc": "sinc(s)",
    "sine": "2 + sin(s)",
    "tanh": "1 + tanh(s)",
    "erf": "2 + erf(s)",
    "bernoulli": "s/(exp(s) - 1)",
    "cayley": "(1 + s)/(1 - s)",
    "bell": "exp(exp(s))",
    "power of two": "2**s",
    "gamma": "gamma(1 + s)",
}
