"""Whether what a contestant says to 60 small cases is right: prints how many of them it offers, or ends with the wrong one.

    python spell_draws.py CONTESTANT MODE FOLDER

In a process of its own, as the bench runs a contestant: jax_functions sets JAX to 64 bits, for everything in the process.
"""

import pathlib
import sys

import draws_command

sys.path.insert(0, str(draws_command.BENCH))

from draws.draw import draw_case  # noqa: E402
from draws.inputs import make_inputs  # noqa: E402
from peers.rounds import save_inputs  # noqa: E402
from peers.worker import Contestant  # noqa: E402


def main(name, mode, folder):
    contestant = Contestant(name, 1)
    contestant.trial = lambda spelling: 1.0
    offered = 0
    for number in range(60):
        case = draw_case(6, number, mode, 3000)
        save_inputs(case, make_inputs(case), pathlib.Path(folder))
        answer = contestant.prepare(case.to_json(), folder)
        assert answer["status"] != "wrong" and " elements, first at " not in answer["detail"], (case.title, answer)
        if name in ("windrow", "numpy"):
            assert (answer["status"], answer["detail"]) == ("ok", ""), (case.title, answer)
        if answer["status"] == "ok":
            assert contestant.check() == {"fault": ""}
            offered += 1
    print(offered)


if __name__ == "__main__":
    main(*sys.argv[1:])
