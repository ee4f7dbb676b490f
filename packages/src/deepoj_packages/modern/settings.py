"""What test_group.yaml and the YAML file of a case say, the nearer one first."""

from dataclasses import dataclass

from deepoj_packages.spec import InputArgs
from deepoj_packages.yamls import Section

_IGNORED = ("input_visualizer_args", "output_visualizer_args")


@dataclass(frozen=True, slots=True)
class CaseSettings:
    arguments: tuple[str, ...]
    output_validator_args: tuple[str, ...]
    input_validator_args: InputArgs
    full_feedback: bool
    hint: str
    description: str


def case_settings(layers: tuple[Section, ...], *, sample: bool) -> CaseSettings:
    """`layers`: the case's own file, its group's, then sample's or secret's."""
    own = layers[0]
    for layer in layers:
        _look_at_the_rest(layer)
    feedback = _nearest(layers, "full_feedback")
    output = _nearest(layers, "output_validator_args")
    given = _nearest(layers, "input_validator_args")
    arguments = _nearest(layers, "args")
    return CaseSettings(
        arguments=arguments.texts("args") if arguments else (),
        output_validator_args=output.texts("output_validator_args") if output else (),
        input_validator_args=_input_args(given) if given else InputArgs(),
        full_feedback=feedback.flag("full_feedback", default=False) if feedback else sample,
        hint=own.text("hint"),
        description=own.text("description"),
    )


def _nearest(layers: tuple[Section, ...], key: str) -> Section | None:
    return next((layer for layer in layers if layer.has(key)), None)


def _input_args(section: Section) -> InputArgs:
    key = "input_validator_args"
    if not section.is_map(key):
        return InputArgs(section.texts(key))
    named = section.section(key)
    return InputArgs((), tuple((name, named.texts(name)) for name in sorted(named.names())))


def _look_at_the_rest(layer: Section) -> None:
    for key in _IGNORED:
        layer.has(key)
