"""What is not an analytic, positive, nonconstant function is refused with the reason, and never by a wrong k."""

from __future__ import annotations

import time

import pytest

from symattn.errors import (
    BudgetError,
    ConstantNormalizerError,
    InputError,
    NotAnalyticError,
    NotPositiveError,
    SymattnError,
    UndecidedError,
)
from symattn.normalizers import normalizer
from symattn.normalizers.work import MAXIMUM_WORK, charge, metered

NOT_ANALYTIC = {
    "Abs(s)": "behaves like |s|",
    "2+Abs(s)": "behaves like |s|",
    "Abs(s**3)": "behaves like |s|**3",
    "Abs(s)**2": "behaves like |s|",
    "sqrt(s**2)": "behaves like |s|",
    "1+sqrt(s**2)": "behaves like |s|",
    "sqrt(s**2)**2": "behaves like |s|",
    "sqrt(s**2+s**4)": "behaves like |s|",
    "1+sqrt(1-cos(s))": "behaves like |s|",
    "1+(s**2)**(3/2)": "behaves like |s|**(3)",
    "1+(s**2)**(1/3)": "behaves like |s|**(2/3)",
    "1+sqrt(s)": "branch point",
    "1+s**(1/3)": "branch point",
    "1+sqrt(s**3)": "branch point",
    "1+s**(5/2)": "branch point",
    "sqrt(-1-s)": "negative",
    "Max(s,0)": "kink",
    "1+Max(s,0)": "kink",
    "Min(s,-s)": "kink",
    "1+Max(sin(s),s)": "kink",
    "2+sign(s)": "jumps at 0",
    "2+sign(s**2)": "jumps at 0",
    "Max(s,-s,s**2)": "kink",
    "1+Max(s,0,-1+s)": "kink",
    "1+Max(1/s**2,s,-s)": "pole of order 2",
    "1+Heaviside(s)": "its argument is 0 at the step",
    "1+Heaviside(s**2)": "its argument is 0 at the step",
    "2+Heaviside(1/s)": "has a pole",
    "floor(1+s)": "meets the step at 0",
    "2+floor(-s**2)": "meets the step at 0",
    "floor(1/s**2)": "has a pole",
    "ceiling(1+s)": "meets the step at 0",
    "1+ceiling(s**2)": "meets the step at 0",
    "1+floor(sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3)+s)": "meets the step at 0",
    "Piecewise(s)": "piecewise",
    "1+exp(-1/s**2)": "pole of order 2",
    "exp(-1/s**2)": "pole of order 2",
    "1+s*exp(-1/s**2)": "pole of order 2",
    "exp(s*exp(-1/s**2))": "pole of order 2",
    "sin(1/s)*s+1": "pole of order 1",
    "2+atan(1/s)": "pole of order 1",
    "2+tanh(1/s)": "pole of order 1",
    "erf(1/s)+2": "pole of order 1",
    "sinc(1/s)+2": "pole of order 1",
    "log(s)": "log is not positive",
    "log(-1+s)": "log is not positive",
    "1+s*log(s)": "log is not positive",
    "exp(log(s))": "log is not positive",
    "s**s": "positive at 0",
    "(-1)**s": "positive at 0",
    "(s**2)**pi": "positive at 0",
    "1/s": "pole of order 1",
    "exp(s)/s**3": "pole of order 3",
    "1/(exp(s)-1)": "pole of order 1",
    "gamma(s)": "pole of order 1",
    "gamma(s-3)": "pole of order 1",
    "gamma(0*s)": "divides by zero",
    "1/(s-s)": "divides by zero",
    "1/(sin(s)**2+cos(s)**2-1)": "divides by zero",
    "1+s+1/(1/(s-s))": "divides by zero",
    "1+s+((s-s)**-2)**-3": "divides by zero",
    "2+s+(1/(s-s))**0": "divides by zero",
    "tan(pi/2+0*s)": "divides by zero",
    "tan(pi/2+s)": "pole of order 1",
}


@pytest.mark.parametrize(("text", "reason"), NOT_ANALYTIC.items())
def test_not_analytic(text: str, reason: str) -> None:
    with pytest.raises(NotAnalyticError) as caught:
        normalizer(text, where="file: normalizers")
    assert reason in str(caught.value)
    assert str(caught.value).startswith("file: normalizers: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["exp(s)-1", "-exp(s)", "s", "s**2", "sin(s)", "1/2-cos(pi/3+0*s)+s", "-1/(1-s)", "gamma(-1/2+s)", "1-E+s"]
)
def test_not_positive(text: str) -> None:
    with pytest.raises(NotPositiveError, match="is not positive at 0: its value there is"):
        normalizer(text)


@pytest.mark.parametrize(
    "text", ["sqrt(5+2*sqrt(6))-sqrt(2)-sqrt(3)+s", "log(6)-log(2)-log(3)+s", "sin(1)**2+cos(1)**2-1+s", "2**(1/2)*3**(1/2)-6**(1/2)+s"]
)
def test_zero_of_irrational_constants_is_proved(text: str) -> None:
    with pytest.raises(NotPositiveError):
        normalizer(text)


@pytest.mark.parametrize(
    "text",
    [
        "2",
        "pi",
        "exp(1)",
        "1+s-s",
        "1+0*s",
        "s/s",
        "sin(s)**2+cos(s)**2",
        "cosh(s)**2-sinh(s)**2",
        "exp(s)*exp(-s)",
        "exp(s)-exp(s)+1",
        "2*sigmoid(s)-tanh(s/2)",
        "(s+sqrt(1+s**2))*(sqrt(1+s**2)-s)",
        "(1+s)**2-2*s-s**2",
        "sign(2+s)",
        "Max(s-s,1)",
        "Max(s,-s,1)",
        "Max(1,s,-s)",
        "(1+s**400)/(1+s**400)",
    ],
)
def test_constant(text: str) -> None:
    with pytest.raises(ConstantNormalizerError, match="is constant; a nonconstant normalizer was expected"):
        normalizer(text)


@pytest.mark.parametrize(
    "text",
    [
        # zero, by the reflection formula, which is not known here
        "1 + s**2 + (gamma(1/3)*gamma(2/3) - 2*pi/sqrt(3))*s",
        "gamma(1/3)*gamma(2/3) - 2*pi/sqrt(3) + s",
        # the integer part of a number that is beyond every ball
        "floor(exp(exp(100)))+s",
        # positive, but beyond every ball
        "exp(exp(exp(exp(exp(10)))))-1+s",
        # constant by the duplication formula, which is not known here
        "gamma(1+s)*gamma(1+s+1/2)/gamma(2+2*s)*4**s",
    ],
)
def test_undecided_names_what_would_decide_it(text: str) -> None:
    with pytest.raises(UndecidedError, match="would decide it"):
        normalizer(text)


@pytest.mark.parametrize(
    "text",
    [
        "exp(" * 38 + "s" + ")" * 38,
        "2+" + "sin(" * 38 + "s" + ")" * 38,
        "log(2+" * 30 + "s" + ")" * 30,
        "Max(1+s," * 35 + "1+s" + ")" * 35,
        "1/(1+" * 35 + "s" + ")" * 35,
        "exp(s)*" * 1000 + "exp(s)",
        "(1+pi+E+sqrt(2)+log(3)+s)**1000",
        "(((2+s)**1000)**1000)**1000",
        "2**(2**(2**(2**s)))",
        "tan(" * 30 + "1+s" + ")" * 30,
        "(1+exp(s)+exp(2*s)+cos(s)+cosh(3*s))**500*(1+s)-(1+exp(-s)+exp(-2*s))**500",
        "1e400*s+1e-400",
        "exp(1e400*s)",
        "exp(exp(1e400)+s)",
        "exp(s)*cosh(s**1000*s**50)",
        "exp(s)*cosh(s**500)",
        "((s**-1000)**-10)**-1000+1",
    ],
    ids=lambda text: text[:15],
)
def test_hostile_expressions_end_soon(text: str) -> None:
    started = time.process_time()
    try:
        normalizer(text).as_dict()
    except SymattnError as error:
        assert isinstance(error, (BudgetError, InputError, UndecidedError))
        assert "\n" not in str(error)
        assert len(str(error)) < 1000
    assert time.process_time() - started < 30


def test_irrational_work_is_bounded() -> None:
    with pytest.raises(BudgetError, match="units of work"):
        normalizer("2**(2**(2**(2**s)))").symbolic_coefficients(30)
    with metered():
        charge(MAXIMUM_WORK)
        with pytest.raises(BudgetError), metered():
            charge(MAXIMUM_WORK + 1)
    charge(MAXIMUM_WORK + 1)  # outside of an evaluation nothing is counted
