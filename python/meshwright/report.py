"""What comes of checking a plan."""
from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class Check:
    """How the local program on embedded devices compares with the undistributed one. True if all results agree."""

    agrees: bool
    tolerance: float
    outputs: tuple[dict[str, Any], ...]
    """Per result: `name`, `shape`, `element`, `max_abs_error`, `max_rel_error`, `verdict`, `passes`; of one that replaces an
    argument also `replaces`, the argument's number, `max_change`, what is added to it at most, `max_error_of_change`, the error relative to that,
    and `change_hidden_by_rounding`, whether rounding hides an error of one percent of it."""
    not_checked: tuple[str, ...]
    """Kernels without a reference; constants stood in for their results."""
    drawn: tuple[dict[str, Any], ...] = ()
    """From where integers were drawn, per argument: `argument`, `name`, `from`, `below`, and `because`, what the program
    does with them, where that is why."""
    drawn_text: str = ""
    local_statistics: dict[str, Any] | None = None
    """Where devices were compared with the step with statistics of each microbatch by itself: `values` that changed meaning,
    and per result `from_original`, how far (`max_abs`, `max_rel`) that step is from the one that was given."""

    twin: dict[str, Any] | None = None
    """Of a small twin that was checked: its `axes` (`name`, `size`, `twin_size`), `arguments` (`index`, `shape`, `twin_shape`),
    `segments`, and what it leaves `unproven`."""
    twin_text: str = ""

    def __bool__(self) -> bool:
        return self.agrees

    def __str__(self) -> str:
        text = self._meaning() + self._agreement()
        if self.not_checked:
            text += f"\nNot checked, for want of a reference: {', '.join(self.not_checked)}"
        text += "\n" + self.drawn_text.rstrip() if self.drawn_text else ""
        return text + ("\n" + self.twin_text.rstrip() if self.twin_text else "")

    def _meaning(self) -> str:
        if self.local_statistics is None:
            return ""
        errors = [one["max_rel"] for one in self.local_statistics["from_original"] if one["max_rel"] is not None]
        return (f"Compared with the step with statistics of each microbatch, not with the step as it is given, from which it is "
                f"up to {max(errors, default=0.0):.1e} away: {len(self.local_statistics['values'])} values changed meaning\n")

    def _agreement(self) -> str:
        failing = [output for output in self.outputs if not output["passes"]]
        agreeing = [output for output in self.outputs if output["verdict"] == "agrees"]
        kinds = ("max_rel_error", "max_error_of_change")
        errors = [output[kind] for output in agreeing for kind in kinds if output.get(kind) is not None]
        if failing:
            first = failing[0]
            return (f"{len(failing)} of {len(self.outputs)} results do NOT agree with the undistributed program within "
                    f"{self.tolerance:g}; the first is {first['name'] or 'result'}: {first['verdict']}")
        text = (f"All {len(self.outputs)} results agree with the undistributed program within {self.tolerance:g} "
                f"(largest relative error {max(errors, default=0.0):.1e})")
        if len(agreeing) < len(self.outputs):
            text += f"; {len(self.outputs) - len(agreeing)} of them but for rounding, as f64 tells"
        return text
