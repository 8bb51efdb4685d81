"""Numbers that look random and are the same everywhere: SplitMix64."""

MASK = 2**64 - 1


class Draw:
    def __init__(self, seed):
        self.state = seed & MASK

    def word(self):
        """The next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        word = self.state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
        return word ^ (word >> 31)

    def below(self, count):
        return self.word() % count

    def between(self, low, high):
        """A number of low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, of):
        """True once in `of` times."""
        return self.below(of) == 0

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def shuffled(self, items):
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result
