"""What a command costs, and how two or more are compared fairly.

Every process is started in the same way (posix_spawn, stdout and stderr to files), so starting costs all the
same. Contestants take turns, after one run each that is not counted; a median stands for the rest.
"""

import os
import signal
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path


class CommandFailed(Exception):
    """A command ended badly; the text says how, in one line."""


class PeerFailed(Exception):
    """A check found that the peer, not isobath, gave no usable result."""


@dataclass(frozen=True)
class Step:
    """One process: what is run, and the file that takes its standard output."""

    arguments: Sequence[object]
    output: Path

    def run(self) -> None:
        """Runs to the end; raises `CommandFailed` unless the process exits with 0."""
        try:
            process = self._start([str(argument) for argument in self.arguments])
        except OSError as error:
            raise CommandFailed(f"{self.arguments[0]}: {error.strerror}") from error
        status = os.waitstatus_to_exitcode(os.wait4(process, 0)[1])
        if status < 0:
            raise CommandFailed(f"ended by {signal.Signals(-status).name}")
        if status > 0:
            raise CommandFailed(self._last_words() or f"exit status {status}")

    def _start(self, arguments: list[str]) -> int:
        create = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        files = [
            (os.POSIX_SPAWN_OPEN, 1, str(self.output), create, 0o644),
            (os.POSIX_SPAWN_OPEN, 2, self._errors, create, 0o644),
        ]
        return os.posix_spawnp(arguments[0], arguments, os.environ, file_actions=files)

    @property
    def _errors(self) -> str:
        return f"{self.output}.stderr"

    def _last_words(self) -> str:
        lines = Path(self._errors).read_text(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


@dataclass(frozen=True)
class WholeProcess:
    """Seconds on the wall from starting the first step to the end of the last.

    Results of the run before are removed first: some file systems wait for the disk where a file is replaced.
    """

    steps: Sequence[Step]
    results: Sequence[Path] = ()

    def measure(self) -> float:
        for path in [*self.results, *(step.output for step in self.steps)]:
            for file in path.iterdir() if path.is_dir() else [path]:
                file.unlink(missing_ok=True)
        start = time.perf_counter()
        for step in self.steps:
            step.run()
        return time.perf_counter() - start


@dataclass(frozen=True)
class SelfTimed:
    """Seconds that a program measured of its own work, printed as milliseconds."""

    step: Step

    def measure(self) -> float:
        self.step.run()
        return float(self.step.output.read_text()) / 1000


class Percentiles:
    """Seconds of p50, p95 and p99 of a frame, which a program measured of its own work and printed as milliseconds:
    each run counts for all three rows."""

    def __init__(self, step: Step):
        self.step = step
        self.runs: list[list[float]] = []

    def run(self, number: int) -> list[float]:
        while len(self.runs) <= number:
            self.step.run()
            self.runs.append([float(word) / 1000 for word in self.step.output.read_text().split()])
        return self.runs[number]


@dataclass
class Percentile:
    """One of the three."""

    all: Percentiles
    place: int
    number: int = 0

    def measure(self) -> float:
        self.number += 1
        return self.all.run(self.number - 1)[self.place]


@dataclass(frozen=True)
class ProcessorTime:
    """Seconds that a process kept processors busy, its threads added up: what others do on the machine hardly changes
    it."""

    step: Step

    def measure(self) -> float:
        before = os.times()
        self.step.run()
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system


@dataclass(frozen=True)
class PeakMemory:
    """The most memory a process held, in bytes.

    GNU time starts the process: a child of Python would count Python's own pages, held until it execs.
    """

    step: Step

    def measure(self) -> float:
        report = Path(f"{self.step.output}.memory")
        arguments = ["/usr/bin/time", "--quiet", "-f", "%M", "-o", report, *self.step.arguments]
        Step(arguments, self.step.output).run()
        return float(report.read_text()) * 1024


@dataclass(frozen=True)
class Fixed:
    """A cost that is not measured: what a goal allows."""

    cost: float

    def measure(self) -> float:
        return self.cost


Measurement = WholeProcess | SelfTimed | ProcessorTime | PeakMemory | Fixed


@dataclass(frozen=True)
class Seconds:
    """Times; their ratio is a part of the peer's time."""

    def show(self, cost: float) -> str:
        return f"{cost:.2f} s" if cost >= 1 else f"{cost * 1000:.3g} ms"

    def show_ratio(self, ratio: float) -> str:
        return f"{ratio:.2f}" if ratio > 0.5 else f"1/{1 / ratio:.1f}"


@dataclass(frozen=True)
class PhotosPerSecond:
    """Times of a whole heap of photos, shown as a rate; their ratio is how many times faster."""

    count: int

    def show(self, cost: float) -> str:
        return f"{self.count / cost:,.0f} photos/s"

    def show_ratio(self, ratio: float) -> str:
        return f"{1 / ratio:.3g} ×"


@dataclass(frozen=True)
class Megabytes:
    """Amounts of memory."""

    def show(self, cost: float) -> str:
        return f"{cost / 1e6:.1f} MB"

    def show_ratio(self, ratio: float) -> str:
        return f"{ratio:.2f}"


@dataclass(frozen=True)
class Goal:
    """The largest ratio of our cost to the peer's that is good enough, and how the table says it."""

    ratio: float
    text: str


@dataclass(frozen=True)
class Peer:
    """Who we are measured against. Without a goal the row is for information."""

    name: str
    measurement: Measurement
    goal: Goal | None = None
    most_runs: int | None = None
    """For slow peers, whose median needs fewer runs."""
    check: Callable[[], str | None] = lambda: None
    """Called after the first runs: says what differs between our result and the peer's, or nothing."""


@dataclass(frozen=True)
class Contest:
    """One piece of work, done by us and by peers."""

    title: str
    ours: Measurement
    peers: Sequence[Peer]
    unit: Seconds | PhotosPerSecond | Megabytes = field(default_factory=Seconds)


class Runs:
    """The costs of one contestant's runs, until one fails."""

    def __init__(self, measurement: Measurement, most: int):
        self.measurement = measurement
        self.most = most
        self.costs: list[float] = []
        self.failure: str | None = None
        self._run()

    def take_turn(self) -> None:
        if self.failure is None and len(self.costs) < self.most:
            self.costs.append(self._run())

    def _run(self) -> float:
        try:
            return self.measurement.measure()
        except (CommandFailed, ValueError) as error:
            self.failure = str(error)
            return float("nan")

    @property
    def median(self) -> float | None:
        return None if self.failure is not None else statistics.median(self.costs)


@dataclass(frozen=True)
class Result:
    """What one peer's row of the table says; a median is missing where the runs failed."""

    contest: Contest
    peer: Peer
    ours: float | None
    theirs: float | None
    remarks: Sequence[str]
    is_wrong: bool
    """Ours failed, or its output is not what it must be."""

    @property
    def ratio(self) -> float | None:
        return self.ours / self.theirs if self.ours is not None and self.theirs else None

    @property
    def is_reached(self) -> bool | None:
        if self.peer.goal is None or (self.theirs is None and self.ours is not None):
            return None
        return not self.is_wrong and self.ratio is not None and self.ratio <= self.peer.goal.ratio


def compete(contest: Contest, runs: int) -> list[Result]:
    """Lets all contestants run in turns; a result for each peer."""
    ours = Runs(contest.ours, runs)
    others = [Runs(peer.measurement, min(runs, peer.most_runs or runs)) for peer in contest.peers]
    differences = [_difference(peer, ours, theirs) for peer, theirs in zip(contest.peers, others)]
    for _ in range(runs if ours.failure is None else 1):
        for contestant in [ours, *others]:
            contestant.take_turn()
    return [
        _result(contest, peer, ours, theirs, difference)
        for peer, theirs, difference in zip(contest.peers, others, differences)
    ]


def _difference(peer: Peer, ours: Runs, theirs: Runs) -> str | None:
    if ours.failure is not None or theirs.failure is not None:
        return None
    try:
        return peer.check()
    except PeerFailed as failure:
        theirs.failure = str(failure)
        return None
    except (OSError, ValueError, CommandFailed) as error:
        return f"outputs could not be compared: {error}"


def _result(contest: Contest, peer: Peer, ours: Runs, theirs: Runs, difference: str | None) -> Result:
    failures = [("isobath", ours.failure), (peer.name, theirs.failure)]
    remarks = [f"{name} fails: {text}" for name, text in failures if text is not None]
    remarks += [f"against {peer.name}: {difference}"] if difference else []
    is_wrong = ours.failure is not None or difference is not None
    return Result(contest, peer, ours.median, theirs.median, remarks, is_wrong)
