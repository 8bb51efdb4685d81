"""Rows on which check() is still wrong, by what is missing. A row leaves the list as soon as its verdict is right."""

_BY_REASON = {
    "OpenVINO computes a gather without elements": ("slices_without_elements",),
}

NOT_YET = {name: reason for reason, names in _BY_REASON.items() for name in names}

# Mutants of the fixed seeds that a host refuses or computes differently without a finding, by seed: the hosts.
MISSED = {}
