"""A Ray cluster of two nodes on this machine. One is killed during the run; the tables equal those without a cluster."""

from __future__ import annotations

import os

import pytest

import unolab
from unolab import _result

ray = pytest.importorskip("ray")
cluster_utils = pytest.importorskip("ray.cluster_utils")


@pytest.fixture(scope="module")
def cluster():
    os.environ.setdefault("RAY_worker_niceness", "0")  # other tests may be running here
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False, configure_logging=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def files(directory):
    """The bytes of each file, except the file with the time and the number of threads."""
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.name != "run.json"}


CASES = {
    "tournament": (["greedy", "random", "heuristic"], {"seats": [2, 3], "sets": 300}),
    "match": ("greedy", "random", {"sets": 200}),
    "sprt": ("greedy", "random", {"nelo1": 60}),
    "league": (["greedy", "random", "heuristic"], {"seats": 2, "sets": 80}),
    "balance": ("classic", {"seats": 2, "sets": 60, "matches": 4, "sweep": ["house.stacking=off,any_draw"]}),
}


@pytest.mark.parametrize("name", CASES)
def test_cluster_with_killed_node_has_bytes_of_one_machine(cluster, name, tmp_path, monkeypatch):
    *args, options = CASES[name]
    alone = getattr(unolab, name)(*args, **options, out=tmp_path / "alone", progress=False)
    doomed = next((node for node in cluster.list_all_nodes() if node is not cluster.head_node), None)
    node = doomed or cluster.add_node(num_cpus=1)
    seen: list[int] = []

    def kill_at_first_sight(_bar, done):
        if not seen:
            cluster.remove_node(node, allow_graceful=False)
        seen.append(done)

    monkeypatch.setattr(_result.Bar, "show", kill_at_first_sight)
    shared = getattr(unolab.ray, name)(*args, **options, num_shards=12, out=tmp_path / "shared", progress=False)
    assert seen == sorted(seen)
    assert seen[0] < seen[-1], "there was something left to do when the node was killed"
    assert files(tmp_path / "shared") == files(tmp_path / "alone")
    assert sorted(shared.tables) == sorted(alone.tables)


def test_invalid_request_is_rejected(cluster):
    with pytest.raises(ValueError, match="heuristic"):
        unolab.ray.tournament(["unknown", "greedy"], sets=2)
    with pytest.raises(TypeError, match="one machine"):
        unolab.ray.match(unolab.Policy(), "greedy", sets=2)
    with pytest.raises(ValueError, match="num_shards"):
        unolab.ray.match("greedy", "random", sets=2, num_shards=0)
    with pytest.raises(TypeError, match="num_shards: 'a'"):
        unolab.ray.match("greedy", "random", sets=2, num_shards="a")
    with pytest.raises(ValueError, match="roundrobin, gauntlet"):
        unolab.ray.tournament(["greedy", "random"], sets=2, format="foo")
    with pytest.raises(ValueError, match="programs are not sent"):
        unolab.ray.match("cmd:true", "random", sets=2)


def test_arguments_are_accepted_as_mapping(cluster):
    spec = {"agents": ["greedy", "random"], "seats": [2], "sets": 20}
    alone = unolab.tournament(**spec).summary
    assert unolab.ray.tournament(spec, num_shards=2).summary == alone
    assert unolab.ray.tournament(spec=spec, num_shards=2).summary == alone
