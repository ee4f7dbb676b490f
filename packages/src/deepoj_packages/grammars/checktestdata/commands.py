"""Commands of a grammar, as functions that read the data on."""

from __future__ import annotations

from collections.abc import Callable

from deepoj_packages.grammars.checktestdata import tokens, values
from deepoj_packages.grammars.checktestdata.data import FIXED, SCIENTIFIC, Data
from deepoj_packages.grammars.checktestdata.expressions import Expression, ExpressionReader, Place
from deepoj_packages.grammars.mismatch import GrammarError, MismatchError

Command = Callable[[], None]
_MOST_TIMES = 2**32 - 1
_ARGUMENTS_OF_FLOATP = 4


class CommandReader(ExpressionReader):
    def __init__(self, grammar: str, data: Data) -> None:
        super().__init__(grammar, data)
        self._plain: dict[str, Command] = {
            "SPACE": lambda: data.string(" "),
            "NEWLINE": lambda: data.string("\n"),
            "EOF": data.end,
        }
        self._readers: dict[str, Callable[[], Command]] = {
            "INT": self._int,
            "FLOAT": self._float,
            "FLOATP": self._float_with_decimals,
            "STRING": self._string,
            "REGEX": self._regex,
            "ASSERT": self._assert,
            "SET": self._set,
            "UNSET": self._unset,
        }
        self._blocks: dict[str, Callable[[], Command]] = {
            "REP": lambda: self._repeat(counted=False),
            "REPI": lambda: self._repeat(counted=True),
            "WHILE": lambda: self._while(counted=False),
            "WHILEI": lambda: self._while(counted=True),
            "IF": self._if,
        }

    def program(self) -> Command:
        found = self._commands()
        if self.token.kind != tokens.END:
            raise self.wrong("a command is expected")
        return found

    def _commands(self) -> Command:
        found: list[Command] = []
        while self.token.text in self._blocks or self._is_simple():
            word = self.token.text
            found.append(self._blocks[self._called()]() if word in self._blocks else self._simple())
        if len(found) == 1:
            return found[0]

        def run() -> None:
            for command in found:
                command()

        return run

    def _is_simple(self) -> bool:
        return self.token.kind == tokens.WORD and self.token.text in {*self._plain, *self._readers}

    def _simple(self) -> Command:
        if not self._is_simple():
            raise self.wrong("a command is expected")
        if self.token.text in self._plain:
            return self._plain[self.advance().text]
        line = self.token.line
        command = self._readers[self._called()]()
        self.expect(")")

        def run() -> None:
            try:
                command()
            except GrammarError as error:
                raise GrammarError(f"line {line}: {error}") from None

        return run

    def _called(self) -> str:
        word = self.advance().text
        self.expect("(")
        return word

    def _int(self) -> Command:
        least, most = self._range()
        store = self.place() if self.take(",") else None
        read = self.data.integer
        if store is None:
            return lambda: _ignore(read(least(), most()))
        return lambda: store.put(read(least(), most()))

    def _range(self) -> tuple[Expression, Expression]:
        least = self.expression()
        self.expect(",")
        return least, self.expression()

    def _float(self) -> Command:
        least, most = self._range()
        store, style = self._store_and_style()

        def run() -> None:
            value = self.data.float(least(), most(), style)
            if store is not None:
                store.put(value)

        return run

    def _float_with_decimals(self) -> Command:
        least, most = self._range()
        self.expect(",")
        fewest, greatest = self._range()
        store, style = self._store_and_style()

        def run() -> None:
            value = self.data.float(least(), most(), style, (fewest(), greatest()))
            if store is not None:
                store.put(value)

        return run

    def _store_and_style(self) -> tuple[Place | None, str]:
        store = self.place() if self.take(",") else None
        if store is None or not self.take(","):
            return store, ""
        if self.token.text not in {FIXED, SCIENTIFIC}:
            raise self.wrong(f"{FIXED} or {SCIENTIFIC} is expected")
        return store, self.advance().text

    def _string(self) -> Command:
        wanted = self.value()
        return lambda: self.data.string(values.text(wanted()))

    def _regex(self) -> Command:
        pattern = self.value()
        store = self.place() if self.take(",") else None
        read = self.data.regex
        if store is None:
            return lambda: _ignore(read(values.text(pattern())))
        return lambda: store.put(read(values.text(pattern())))

    def _assert(self) -> Command:
        line, test = self.token.line, self.test()

        def run() -> None:
            if not test():
                raise MismatchError(f"the assertion in line {line} of the grammar does not hold")

        return run

    def _set(self) -> Command:
        found = [self._assignment()]
        while self.take(","):
            found.append(self._assignment())

        def run() -> None:
            for place, value in found:
                place.put(value())

        return run

    def _assignment(self) -> tuple[Place, Expression]:
        place = self.place()
        self.expect("=")
        return place, self.expression()

    def _unset(self) -> Command:
        names = self.names()

        def run() -> None:
            for name in names:
                self.variables.forget(name)

        return run

    def _repeat(self, *, counted: bool) -> Command:
        place = self._counter(counted=counted)
        count = self.expression()
        between, body = self._separator(), self._body()

        def run() -> None:
            times = values.whole(count())
            if not 0 <= times <= _MOST_TIMES:
                raise GrammarError(f"nothing can be repeated {values.shown(times)} times")
            _note(place, 0)
            for done in range(times):
                if done and between is not None:
                    between()
                body()
                _note(place, done + 1)

        return run

    def _while(self, *, counted: bool) -> Command:
        place = self._counter(counted=counted)
        test = self.test()
        between, body = self._separator(), self._body()

        def run() -> None:
            done = 0
            _note(place, done)
            while test():
                if done and between is not None:
                    between()
                body()
                done += 1
                _note(place, done)

        return run

    def _counter(self, *, counted: bool) -> Place | None:
        if not counted:
            return None
        place = self.place()
        self.expect(",")
        return place

    def _separator(self) -> Command | None:
        command = self._simple() if self.take(",") else None
        self.expect(")")
        return command

    def _body(self) -> Command:
        commands = self._commands()
        self._end()
        return commands

    def _end(self) -> None:
        if not self.take("END", tokens.WORD):
            raise self.wrong("END is expected")

    def _if(self) -> Command:
        test = self.test()
        self.expect(")")
        then = self._commands()
        otherwise = self._commands() if self.take("ELSE", tokens.WORD) else None
        self._end()

        def run() -> None:
            if test():
                then()
            elif otherwise is not None:
                otherwise()

        return run


def _ignore(value: object) -> None:
    del value


def _note(place: Place | None, done: int) -> None:
    if place is not None:
        place.put(done)


def check(grammar: str, text: str) -> None:
    """Raise MismatchError unless the text is as the grammar describes it, to its end."""
    data = Data(text)
    program = CommandReader(grammar, data).program()
    try:
        program()
        data.end()
    except MismatchError as error:
        raise MismatchError(f"{data.where()}: {error}") from None
