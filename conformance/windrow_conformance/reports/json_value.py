"""A value of an unchecked JSON document, which is checked when it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from ..record import TIERS, Tier


@dataclass(frozen=True)
class JsonValue:
    """place: the value's position, for errors: "the document.runtimes[0].seconds". All functions raise ValueError."""

    place: str
    value: Any

    def __getitem__(self, key: str) -> JsonValue:
        if not isinstance(self.value, dict):
            self._fail("an object")
        if key not in self.value:
            raise ValueError(f"{self.place} has no {key!r}")
        return JsonValue(f"{self.place}.{key}", self.value[key])

    def items(self) -> list[JsonValue]:
        if not isinstance(self.value, list):
            self._fail("a list")
        return [JsonValue(f"{self.place}[{at}]", one) for at, one in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            self._fail("a text")
        return self.value

    def texts(self) -> dict[str, str]:
        if not isinstance(self.value, dict) or not all(isinstance(one, str) for one in self.value.values()):
            self._fail("an object of texts")
        return dict(self.value)

    def tier(self) -> Tier:
        for tier in TIERS:
            if tier == self.value:
                return tier
        self._fail(" or ".join(TIERS))

    def integer(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool) or self.value < 0:
            self._fail("a whole number from 0 on")
        return self.value

    def number(self) -> float:
        if not isinstance(self.value, (int, float)) or isinstance(self.value, bool) or not 0 <= self.value <= 1e15:
            self._fail("a number from 0 to 1e15")
        return float(self.value)

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            self._fail("true or false")
        return self.value

    def _fail(self, expected: str) -> NoReturn:
        raise ValueError(f"{self.place} is of type {type(self.value).__name__}; expected {expected}")
