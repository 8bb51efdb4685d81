"""Runs batches of seeds in worker processes: a seed that ends its process costs only itself."""

from windrow.processes import Limits, Pool

IN_A_BATCH = 25
BATCH_LIMITS = Limits(seconds=45.0)
SEED_LIMITS = Limits(seconds=20.0)


def run_in_batches(module, seeds, totals, *, preload=(), processes=1, without_host=None, told=None):
    """(sums, lost): `module`'s compare_batch() of all seeds, and what ended the process of single ones.

    compare_batch takes a list of seeds and gives vars() of objects of the types `totals`, which have add(). A batch that does not end
    well is done again seed by seed. without_host: a function like compare_batch that does the same without the host's code; what
    ends a process in compare_batch alone is the host's matter. told: a pattern of what a process says about the stage that it is in; each
    loss is then a pair of its text and of the last stage, or of "error" for an exception.
    """
    sums = tuple(total() for total in totals)
    batches = [list(seeds[start : start + IN_A_BATCH]) for start in range(0, len(seeds), IN_A_BATCH)]
    lost, again = [], []
    for batch, ending in endings(module, "compare_batch", batches, preload, processes, BATCH_LIMITS):
        if ending.failure:
            again += [[seed] for seed in batch]
        else:
            add(sums, ending.value)
    for function in ["compare_batch"] if without_host is None else ["compare_batch", without_host]:
        lost = []
        for batch, ending in endings(module, function, again, preload, processes, SEED_LIMITS):
            if ending.failure:
                lost.append((batch, ending.failure))
            else:
                add(sums, ending.value)
        again = [batch for batch, _ in lost]
    losses = [f"seed {batch[0]}: {failure}" for batch, failure in lost]
    if told is None:
        return sums, losses
    stages = ["error" if failure.kind == "refused" else (told.findall(failure.said) or ["error"])[-1] for _, failure in lost]
    return sums, list(zip(losses, stages))


def endings(module, function, batches, preload, processes, limits):
    with Pool(f"{module}:{function}", preload=[*preload, module], processes=processes, limits=limits) as pool:
        return list(zip(batches, pool.run(batches)))


def add(sums, parts):
    for total, part in zip(sums, parts):
        total.add(type(total)(**part))
