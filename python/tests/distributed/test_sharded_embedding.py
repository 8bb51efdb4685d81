"""A table over ranks as a module of a network: ./dev test --torch has torch and the operators."""

import re

import numpy as np
import pytest
import windrow
from launch import run_torch
from test_torch_ranks import has_torch, needs_torch
from thread_ranks import ThreadRanks

if has_torch:
    import torch
    import windrow.torch
    from trained_embedding import KINDS, ROWS, WIDTH, drawn_batches, drawn_weight, make_embedding, map_of, save_training
    from trained_embedding import saved_training, take_steps, train_by_torch
    from windrow.distributed import ShardedTable

pytestmark = needs_torch


def run(ranks, body):
    """What body(exchange) returns on each of these threads."""
    results = ThreadRanks(ranks).run(body)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def test_training_has_the_same_bits_on_any_number_of_ranks(tmp_path):
    run(1, lambda exchange: save_training(exchange, tmp_path))
    alone = [saved_training(tmp_path, number, 1) for number in range(len(KINDS))]
    for ranks in (1, 2, 3):
        folder = tmp_path / str(ranks)
        folder.mkdir()
        ended = run_torch(ranks, folder, "train_embedding", str(folder))
        assert ended.returncode == 0, ended.stderr
        for number, kind in enumerate(KINDS):
            assert saved_training(folder, number, ranks)[0] == alone[number][0], (ranks, kind)
    for (_, optimizer, mode), (_, weight) in zip(KINDS, alone, strict=True):
        np.testing.assert_allclose(weight, train_by_torch(optimizer, mode), rtol=1e-5, atol=1e-6)


def test_errors_are_those_of_all_ranks_and_change_nothing(tmp_path):
    ended = run_torch(3, tmp_path, "bad_id_of_an_embedding")
    assert ended.returncode == 0, ended.stderr
    errors = re.findall(r"error (IndexOutOfRange rank 2: .*\[1, 1\] is 23, .*) \(1, 1\)", ended.stdout)
    assert len(errors) == 6 and len(set(errors)) == 2, ended.stdout
    steps = re.findall(r"step (.*)", ended.stdout)
    assert len(steps) == 6 and set(steps) == {
        "rank 1 makes a step of sgd with lr=0.5 and eps=1e-10, rank 0 a step of sgd with lr=0.25 and eps=1e-10: all ranks "
        "must make the same step"
    }


def test_gradients_are_of_the_ids_alone():
    def body(exchange):
        module = make_embedding(exchange, padding_idx=-1)
        assert module.padding_idx == ROWS - 1 and list(module.parameters()) == []
        ids = torch.tensor([[4, ROWS - 1], [4, exchange.rank]], dtype=torch.int32)
        rows = module(ids.t())
        assert rows.shape == (2, 2, WIDTH)
        ids.zero_()  # what has been looked up stays
        with torch.no_grad():
            module(ids)
        rows.backward(torch.arange(20.0).reshape(2, 2, WIDTH), retain_graph=True)
        rows.backward(torch.ones(2, 2, WIDTH))
        ((numbers, given),) = module.gradients()
        assert numbers.tolist() == [4, 4, exchange.rank]
        assert given.tolist() == (torch.arange(20.0).reshape(4, WIDTH)[[0, 1, 3]] + 1).tolist()
        given *= 2
        assert torch.equal(module.gradients()[0][1], given)
        module.zero_grad()
        assert module.gradients() == []

    run(2, body)


def test_a_rank_whose_loss_does_not_use_the_rows_takes_part_in_the_step():
    def body(exchange):
        module = make_embedding(exchange)
        before = module.table.take(np.arange(ROWS))
        for turn in range(3):
            rows = module(torch.tensor([turn, 7]))
            if exchange.rank == turn % 2:
                rows.sum().backward()
        module.apply_gradients("sgd", lr=0.5)
        changed = (before - module.table.take(np.arange(ROWS)))[:, 0]
        assert np.nonzero(changed)[0].tolist() == [0, 1, 2, 7]
        assert np.allclose(changed[[0, 1, 2, 7]], [0.5, 0.5, 0.5, 1.5])
        after = module.table.take(np.arange(ROWS))
        module.apply_gradients("adagrad", lr=0.5)  # of no gradients
        assert np.array_equal(module.table.take(np.arange(ROWS)), after) and module.squares is None

    run(2, body)


@pytest.mark.parametrize("name", ["float16", "float64"])
def test_other_types(name):
    def body(exchange):
        given = np.ones((4, 2, 3), name)
        module = windrow.torch.ShardedEmbedding(ShardedTable(exchange, given), mode="mean")
        pooled = module(torch.tensor([0, 5, 5]), torch.tensor([0, 1]))
        assert pooled.dtype == getattr(torch, name) and pooled.shape == (2, 2, 3)
        pooled.sum().backward()
        module.apply_gradients("adagrad", lr=1, eps=0)
        assert module.squares.dtype == {"float16": "float32"}.get(name, name)
        assert module.table.take([0, 5, 1])[:, 0, 0].tolist() == [0, 0, 1]
        assert module.squares.take([5])[0, 0, 0] == 4

    run(2, body)


def test_gradients_of_the_weights_of_samples():
    def body(exchange):
        module = make_embedding(exchange, mode="sum", padding_idx=2)
        weights = torch.tensor([0.5, 2, 3], requires_grad=exchange.rank == 1)
        pooled = module(torch.tensor([1, 2, 1]), torch.tensor([0, 2]), weights)
        pooled.sum().backward()
        if exchange.rank == 1:
            row = module.table.take([1])[0].sum()
            np.testing.assert_allclose(weights.grad, [row, 0, row], rtol=1e-6)
        else:
            module.table.take([0])

    run(2, body)


def test_bad_arguments_are_named():
    def body(exchange):
        table = ShardedTable(exchange, np.ones((3, 2), np.float32))
        embedding = windrow.torch.ShardedEmbedding
        with pytest.raises(windrow.Unsupported, match="int32, must have float16, float32 or float64"):
            embedding(ShardedTable(exchange, np.ones((3, 2), np.int32)))
        for options, said in (({"padding_idx": 6}, "padding_idx is 6, out of range for 6 rows"),
                              ({"mode": "prod"}, "mode is 'prod'"),
                              ({"squares": ShardedTable(exchange, np.ones((1 + 4 * exchange.rank, 2), np.float32))},
                               "squares has the shape .* contiguous: 1, 5, must have .* contiguous: 3, 3"),
                              ({"squares": ShardedTable(exchange, np.ones((3, 2), np.float16))}, "float16, must")):  # fmt: skip
            with pytest.raises(windrow.ArgumentError, match=said):
                embedding(table, **options)
        module = embedding(table)
        with pytest.raises(windrow.ArgumentError, match="give the module a mode"):
            module(torch.tensor([0]), torch.tensor([0]))
        with pytest.raises(windrow.DTypeError, match="rank 1: "):
            module(torch.tensor([0.5 if exchange.rank else 0]).to(torch.float32 if exchange.rank else torch.int64))
        for settings, said in ((("sgd", -1.0), "lr is -1.0"), (("sgd", float("nan")), "lr is nan"), (("sgd", "a"), "lr is 'a'"),
                               (("adam", 1), "optimizer is 'adam', must be one of sgd, adagrad")):  # fmt: skip
            with pytest.raises(windrow.Error, match=f"rank 1: {said}"):
                module.apply_gradients(*(settings[:1] if exchange.rank else ("sgd",)), lr=settings[1] if exchange.rank else 1)
        with pytest.raises(windrow.IndexOutOfRange, match="rank 0: .* is -1"):
            module(torch.tensor([-1]))

    run(2, body)


def trained_on(module, count):
    for number in range(count):
        (module(torch.tensor([number, 5, 5])) ** 2).sum().backward()
        module.apply_gradients("adagrad", lr=0.1)


def test_a_state_is_saved_and_loaded(tmp_path):
    def body(exchange):
        network = torch.nn.Sequential(make_embedding(exchange, "hash"), torch.nn.Identity())
        fresh = torch.nn.Sequential(make_embedding(exchange, "hash"), torch.nn.Identity())
        begun = fresh.state_dict()
        trained_on(network[0], 2)
        path = tmp_path / f"{exchange.rank}.pt"
        torch.save(network.state_dict(), path)
        trained_on(network[0], 2)
        fresh.load_state_dict(torch.load(path, weights_only=True))
        trained_on(fresh[0], 2)
        for name in ("table", "squares"):
            assert getattr(fresh[0], name).shard.tobytes() == getattr(network[0], name).shard.tobytes()
        fresh.load_state_dict(begun)  # before the first step: sums of zeros
        assert np.array_equal(fresh[0].squares.shard, np.zeros_like(fresh[0].squares.shard))
        other = torch.nn.Sequential(make_embedding(exchange), torch.nn.Identity())
        with pytest.raises(windrow.Error, match=r"the state is of rank 0 \(hash: 12, 11\), this is rank 0 \(contiguous: 9, 14\)"):
            other.load_state_dict(begun)

    run(2, body)


TORN = "the shard of rank 1 was last written to by call 3, that of rank 0 by call 4: a call was ended"


@pytest.mark.parametrize(("name", "numbers", "left"), [
    ("squares", 3, {"weight": "3 3 ", "squares": f"4 3 {TORN}"}),
    ("weight", 2, {"weight": "3 3 ", "squares": "4 4 "}),
    ("weight", 3, {"weight": f"4 3 {TORN}", "squares": "4 4 "}),
])  # fmt: skip
def test_a_rank_that_is_killed_in_a_step(name, numbers, left, tmp_path):
    """Of a call that writes the third exchange of numbers says that all updates have come."""
    for meeting in ("first", "second"):
        (tmp_path / meeting).mkdir()
    ended = run_torch(2, tmp_path / "first", "killed_in_a_step", f"{tmp_path} {name} {numbers}")
    assert ended.returncode == 9 and "windrow.FileError: rank 0: torch.distributed: " in ended.stderr, ended.stderr
    ended = run_torch(2, tmp_path / "second", "resumed_after_a_kill", str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    for table, said in left.items():
        assert ended.stdout.count(f"{table} {said}") == 2, ended.stdout
        assert ("the shard of" in said) == (f"{table} 4 3 the shard of" in ended.stdout)
    resumed = np.concatenate([np.load(tmp_path / f"resumed{rank}.npy") for rank in range(2)])
    assert resumed.tobytes() == run(1, trained_in_memory)[0].tobytes()


def trained_in_memory(exchange):
    module = make_embedding(exchange)
    take_steps(module, drawn_batches(), "adagrad")
    return module.table.shard.copy()


def test_shards_on_disk_resume_where_the_state_was_saved(tmp_path):
    def open_module(exchange):
        tables = [ShardedTable.open(exchange, tmp_path / f"{name}{exchange.rank}.npy", writable=True) for name in "ws"]
        return windrow.torch.ShardedEmbedding(tables[0], squares=tables[1])

    def body(exchange):
        own = map_of("contiguous", 2).rows_at(exchange.rank)
        for name, values in (("w", drawn_weight()), ("s", np.zeros((ROWS, WIDTH), np.float32))):
            np.save(tmp_path / f"{name}{exchange.rank}.npy", values[own])
        module = open_module(exchange)
        trained_on(module, 2)
        state = module.state_dict()["_extra_state"]
        assert [(state[name]["rows"], state[name]["call"]) for name in ("table", "squares")] == [(None, 2), (None, 2)]
        rows = module.table.take(np.arange(ROWS))
        in_memory = make_embedding(exchange)
        trained_on(in_memory, 2)
        assert in_memory.table.take(np.arange(ROWS)).tobytes() == rows.tobytes()
        del module
        module = open_module(exchange)
        module.load_state_dict({"_extra_state": state})
        assert module.table.take(np.arange(ROWS)).tobytes() == rows.tobytes()
        assert module.table.call_numbers == [2, 2]
        trained_on(module, 1)
        with pytest.raises(windrow.Error, match="saved after call 2, the shard on disk is at call 3: put back the copy"):
            module.load_state_dict({"_extra_state": state})
        kept = make_embedding(exchange)
        with pytest.raises(windrow.Error, match="one of the state and the shard is on disk, the other in memory"):
            kept.load_state_dict({"_extra_state": state})

    run(2, body)
