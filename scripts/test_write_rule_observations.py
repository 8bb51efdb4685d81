"""src/portability/rule_observations.inc is what its script makes of the kept outcomes."""

import write_rule_observations


def test_the_table_is_what_the_script_writes():
    assert write_rule_observations.TABLE.read_text() == write_rule_observations.table()
