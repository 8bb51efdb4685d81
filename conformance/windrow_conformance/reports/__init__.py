"""The reports of a run: a file for each format, and the descriptions that they use besides the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..corpus import Corpus
from ..record import Record
from ..runtime import Runtime


@dataclass(frozen=True)
class Background:
    """Descriptions of failures that are not in the results; each function returns an empty value if nothing is known.

    record: of a path. sentence: of a rule's label, what the rule says and, if it is a decision, why.
    reproduction: of a runtime's name and a record, Runtime.reproduction.
    """

    record: Callable[[str], Record | None] = lambda path: None
    sentence: Callable[[str], str] = lambda label: ""
    reproduction: Callable[[str, Record], str] = lambda runtime, record: ""

    @staticmethod
    def of(corpus: Corpus, runtimes: Mapping[str, Runtime]) -> Background:
        """Descriptions from a corpus and the runtimes' files, by their names. Runtimes themselves are not imported."""

        def record(path: str) -> Record | None:
            try:
                return corpus.record(path)
            except KeyError:
                return None

        def sentence(label: str) -> str:
            rule = corpus.rules.get(label)
            return "" if rule is None else f"{rule.rule} ({rule.because})" if rule.because else rule.rule

        def reproduction(runtime: str, record: Record) -> str:
            return runtimes[runtime].reproduction(record) if runtime in runtimes else ""

        return Background(record, sentence, reproduction)
