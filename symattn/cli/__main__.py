"""``python -m symattn.cli``."""

from symattn.cli.entry import main

raise SystemExit(main())
