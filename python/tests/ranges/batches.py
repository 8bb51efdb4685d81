"""Seeds in worker processes, by batches: what ends a process costs one seed."""

from windrow.processes import Limits, Pool

IN_A_BATCH = 100
BATCH_LIMITS = Limits(seconds=150.0)
SEED_LIMITS = Limits(seconds=20.0)


def run_in_batches(module, seeds, totals, *, preload=(), processes=1):
    """(sums, lost): `module`'s compare_batch() of all seeds, and what ended the process of single ones.

    compare_batch takes a list of seeds and gives vars() of objects of the types `totals`, which have add(). A batch that does not end
    well is done again seed by seed.
    """
    sums = tuple(total() for total in totals)
    batches = [list(seeds[start : start + IN_A_BATCH]) for start in range(0, len(seeds), IN_A_BATCH)]
    lost, again = [], []
    for batch, ending in endings(module, batches, preload, processes, BATCH_LIMITS):
        if ending.failure:
            again += [[seed] for seed in batch]
        else:
            add(sums, ending.value)
    for batch, ending in endings(module, again, preload, processes, SEED_LIMITS):
        if ending.failure:
            lost.append(f"seed {batch[0]}: {ending.failure}")
        else:
            add(sums, ending.value)
    return sums, lost


def endings(module, batches, preload, processes, limits):
    with Pool(f"{module}:compare_batch", preload=[*preload, module], processes=processes, limits=limits) as pool:
        return list(zip(batches, pool.run(batches)))


def add(sums, parts):
    for total, part in zip(sums, parts):
        total.add(type(total)(**part))
