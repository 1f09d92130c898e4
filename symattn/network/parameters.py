"""Parameters of a network: native weights, effective tuples, and the reduction from one to the other.

Matrices are the immutable rational matrices of :mod:`symattn.network.rational`: tuples of rows of ``Fraction``.
Layers are numbered from 1 in messages and from 0 in Python sequences.
"""
