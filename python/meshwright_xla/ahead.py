"""Steps that begin before the one before them is validated.

Input: the events of a step and its manifest. Output: the events in three parts, each in its order. An optimistic update
(`2O`) does not wait for other groups; what they exchange of it, its validation and whatever makes it again come last
(`tail`), and before them copies of parameters and the first forward passes of the next step can be launched (`head`): they
add to no accumulator, and take no argument that is known only behind the validation.
"""
import re


class Parts:
    """The events of a step: the first ones, the others, and those behind the optimistic update."""

    def __init__(self, events, manifest):
        programs = {described["program"]: described for described in manifest["programs"]}
        exchanged = {slot for name in programs if phase_of(name) in ("U", "O") for slot in named(programs[name]["gives"], "stash")}
        # What the optimistic update waits for is no part of what comes behind it.
        exchanged -= {slot for name in programs if phase_of(name) == "O" for slot in named(programs[name]["takes"], "received")}
        has_tail = any(phase_of(name) == "O" for name in programs)

        def is_late(event):
            if "program" in event:
                phase = phase_of(event["program"])
                return phase in ("V", "R") or phase == "U" and not event["program"].endswith("U0")
            return event["microbatch"] is None and event["value"] in exchanged

        self.tail = [event for event in events if has_tail and is_late(event)]
        early = [event for event in events if not (has_tail and is_late(event))]
        # Results that are known behind the validation alone, and arguments that they become.
        self.given_late = {slot["slot"] for event in self.tail
                           if "program" in event and phase_of(event["program"]) != "R"
                           for slot in programs[event["program"]]["gives"]}
        unknown = {index for index, d in enumerate(manifest["arguments"])
                   if any(is_of(slot, "result", d.get("next")) for slot in self.given_late)}

        def can_begin(event):
            if "program" not in event:
                return True
            program = programs[event["program"]]
            gathers = any(slot["slot"].startswith("accumulator ") for slot in program["gives"])
            waits = any(is_of(slot["slot"], "argument", index) for slot in program["takes"] for index in unknown)
            return phase_of(event["program"]) in ("C", "F") and not gathers and not waits

        first = next((place for place, event in enumerate(early) if not can_begin(event)), len(early))
        self.head, self.body = (early[:first], early[first:]) if has_tail else ([], early)


def phase_of(program):
    """The letter of a program such as `12F` or `0U1`."""
    return re.sub(r"\d", "", program)


def named(slots, kind):
    """The names of values in slots of a kind."""
    return {slot["slot"].partition(" ")[2] for slot in slots if slot["slot"].startswith(f"{kind} ")}


def is_of(slot, kind, index):
    """Whether a slot is a result or an argument, or layers of it."""
    return index is not None and re.fullmatch(rf"{kind} {index}(\[[\d.]+\])?", slot) is not None
