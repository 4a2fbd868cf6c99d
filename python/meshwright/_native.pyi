"""The compiler: StableHLO text in, plan and local program out. Use the package's functions instead."""
from collections.abc import Mapping, Sequence

__version__: str

class Error(Exception):
    """Why there is no plan; the base of all errors of Meshwright. The text is that of the command's diagnostics."""

class ProgramError(Error):
    """The program, a plan or a machine's file is at fault."""

class OptionError(Error):
    """What was decided (mesh, pins, machine) does not go together."""

class DoesNotFit(Error):
    """The program needs more memory than the devices have."""

class RunFailed(Error):
    """A program could not be run on embedded devices."""

class Defect(Error):
    """A defect of Meshwright itself."""

class Compiled:
    """A compiled program."""

    @property
    def plan(self) -> str: ...
    @property
    def program(self) -> str: ...
    @property
    def callee(self) -> str: ...
    @property
    def whole(self) -> str: ...
    @property
    def files(self) -> dict[str, str]: ...
    @property
    def manifest(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    def table(self, full: bool = False) -> str: ...
    def marked_unfinished(self) -> Compiled: ...
    def explain_argument(self, index: int) -> str: ...
    def explain_result(self, index: int) -> str: ...
    def explain_value(self, name: str) -> str: ...
    def conflicts(self) -> str: ...
    def check(
        self, inputs: bytes | None = None, seed: int = 0, int_range: tuple[int, int] | None = None, memory: int | None = None,
        weights: str | None = None, shrinks: bool = False,
    ) -> str: ...
    def run(
        self, inputs: bytes, steps: int = 1, memory: int | None = None, weights: str | None = None, save_weights: str | None = None,
    ) -> bytes: ...

def command(words: Sequence[str]) -> int: ...
def compile(
    text: str,
    name: str,
    machine: str,
    *,
    machine_file: str | None = None,
    argument_names: Sequence[str] = (),
    mesh: Sequence[tuple[str | None, int]] | None = None,
    pins: Sequence[tuple[int, Sequence[Sequence[str]]]] = (),
    memory_limit: str | None = None,
    search: str | None = None,
    plan: str | None = None,
    combine: bool = True,
    simplest_within: float | None = None,
    kernels: bool = True,
    fitting: Mapping[str, Sequence[str]] = {},
    model: str | None = None,
    degrees: Sequence[tuple[str, str]] = (),
    allow: str | None = None,
    target: tuple[str, str, str] | None = None,
    pipeline: tuple[str, str | None, str, str | None, Sequence[Sequence[tuple[str | None, int]]]] | None = None,
    schedule: str | None = None,
    of_groups: tuple[str | None, bool, str | None, str | None, list[int] | None] = (None, False, None, None, None),
    is_one_program: bool = False,
) -> Compiled: ...
def frontier(
    text: str,
    name: str,
    machine: str,
    limits: Sequence[str],
    *,
    machine_file: str | None = None,
    argument_names: Sequence[str] = (),
    mesh: Sequence[tuple[str | None, int]] | None = None,
    pins: Sequence[tuple[int, Sequence[Sequence[str]]]] = (),
    kernels: bool = True,
    fitting: Mapping[str, Sequence[str]] = {},
    model: str | None = None,
) -> str: ...
def step_of_config(
    text: str,
    name: str,
    global_batch: str,
    *,
    seq: int | None = None,
    optimizer: str | None = None,
    precision_recipe: str | None = None,
    capacity_factor: float | None = None,
    machine: str | None = None,
    machine_file: str | None = None,
    kernels: bool = True,
) -> tuple[str, str, str, list[str]]: ...
def model(
    text: str,
    name: str,
    global_batch: str,
    *,
    seq: int | None = None,
    precision_recipe: str | None = None,
    layers: str | None = None,
    capacity_factor: float | None = None,
    degrees: Sequence[tuple[str, str]] = (),
    machine: str | None = None,
    machine_file: str | None = None,
    kernels: bool = False,
) -> tuple[str, str, str, list[str]]: ...
def grad(text: str, name: str, said: Mapping[str, object]) -> str: ...
def grid(
    text: str, name: str, machine: str, said: Mapping[str, object], *, machine_file: str | None = None, model: str | None = None,
) -> str: ...
def scaling(
    steps: Sequence[tuple[str, str, str | None, Mapping[str, object], str]], machines: str,
    wanted: tuple[float | None, float | None, float | None, float | None], *, machine_file: str | None = None,
) -> str: ...
def export(
    plan: str, plan_name: str, target: str, *, config: str | None = None, config_name: str = "config.json", nearest: bool = False,
    machine: str | None = None, machine_file: str | None = None,
) -> tuple[list[tuple[str, str]], str, list[str], str | None, list[str]]: ...
def export_targets() -> list[str]: ...
def job_beside(name: str, text: str, devices: int) -> str | None:
    """The job file that a script starts, as seen from the script's folder; none where the text is a job itself."""

def job(
    name: str, text: str, devices: int, *, config: tuple[str, str] | None = None,
    degrees: Sequence[tuple[str, str]] = (), seq: int | None = None, global_batch: str | None = None,
) -> str: ...
def simulate(
    plan: str, plan_name: str, *, microbatches: int | None = None, schedule: str | None = None, table: str | None = None,
    table_name: str | None = None, link_bandwidth: float = 1.0, slow: Sequence[tuple[int, float]] = (), costs: str | None = None,
) -> tuple[str, str, str, str]: ...
def is_schedule(name: str) -> bool: ...
def schedule(
    name: str, groups: int, microbatches: int, *, virtual_stages: int | None = None, layers: int | None = None,
    costs: str | None = None, keep: float | None = None,
) -> tuple[str, tuple[str, str, str, str], str | None]: ...
def checked_schedule(table: str, table_name: str, *, keep: float | None = None) -> tuple[str, str, str]: ...
def batches(text: str) -> list[str]: ...
def show_progress(is_shown: bool) -> None:
    """Shows progress of what takes longer than two seconds where `sys.stderr` is a terminal, as it is unless this says `False`."""

def machine(machine: str, *, machine_file: str | None = None) -> tuple[str, int]: ...
