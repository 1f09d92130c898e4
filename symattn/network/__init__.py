"""One network, its parameters, its collapse path and its files, evaluated in any number system."""
