"""What people and programs read of a run: a file for each format, and what they know beside the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..corpus import Corpus
from ..record import Record
from ..runtime import Runtime


@dataclass(frozen=True)
class Background:
    """What reports say of a failure that is not in the results; each answers with nothing where nothing is known.

    record: of a path. sentence: of a rule's label, what the rule says and, if it is a decision, why.
    reproduction: of a runtime's name and a record, Runtime.reproduction.
    """

    record: Callable[[str], Record | None] = lambda path: None
    sentence: Callable[[str], str] = lambda label: ""
    reproduction: Callable[[str, Record], str] = lambda runtime, record: ""

    @staticmethod
    def of(corpus: Corpus, runtimes: Mapping[str, Runtime]) -> Background:
        """What a corpus and the files of runtimes, by their names, say. Runtimes themselves are not imported."""

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
