"""What mutate.py draws."""

import itertools

import mutate

SOURCE = """#include "a.h"  // a < b
// if (x) return y + 1;
static_assert(sizeof(int) == 4);
int first(int a, int b) {
  if (a < b && a != 0) return b - 1;
  const char* text = "a < b";
  std::vector<int> list(a + b);
  if (Status status = check(a); !status) return status;
  return use(OutOfRange::kZero);
}
"""
ENUMS = {"OutOfRange": ["kZero", "kError"]}


def mutants():
    return list(mutate.mutants_of("plan", "a.cc", SOURCE, ENUMS))


def test_every_kind_of_change_is_made_once_in_code_alone():
    made = {(each.line, each.kind, each.after.strip()) for each in mutants()}
    assert made == {
        (5, "comparison", "if (a <= b && a != 0) return b - 1;"),
        (5, "comparison", "if (a < b && a == 0) return b - 1;"),
        (5, "logic", "if (a < b || a != 0) return b - 1;"),
        (5, "sign", "if (a < b && a != 0) return b + 1;"),
        (5, "off by one", "if (a < b && a != 0) return b;"),
        (5, "dropped check", "if (false && (a < b && a != 0)) return b - 1;"),
        (7, "sign", "std::vector<int> list(a - b);"),
        (8, "dropped check", "if (Status status = check(a); false && (!status)) return status;"),
        (9, "policy", "return use(OutOfRange::kError);"),
    }


def test_a_seed_decides_the_order_and_no_mutant_comes_twice():
    every = {"plan": mutants(), "access": mutants()[:2]}
    orders = [list(mutate.drawn({room: list(found) for room, found in every.items()}, seed)) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert len(orders[0]) == len(mutants()) + 2
    assert sorted(map(repr, orders[0])) == sorted(map(repr, orders[2]))


def test_the_sources_of_every_room_have_mutants():
    found = mutate.all_mutants(mutate.ROOT, mutate.TESTS)
    assert all(len(every) > 50 for every in found.values()), {room: len(every) for room, every in found.items()}
    kinds = {each.kind for each in itertools.chain(*found.values())}
    assert kinds == {"comparison", "logic", "sign", "off by one", "dropped check", "policy"}


def test_what_is_missed_is_told_and_lowers_the_share(capsys):
    first, second = mutants()[:2]
    assert not mutate.tell([(first, "unit.plan"), (second, None)], 0.95)
    assert mutate.tell([(first, "unit.plan"), (second, "build")], 0.95)
    shown = capsys.readouterr().out
    assert f"not noticed: a.cc:5 ({second.kind})" in shown
    assert "plan: 1 of 2 noticed" in shown and "1 others did not compile" in shown
