import { expect, test } from "vitest"
import { answer, failure } from "./ask.js"

test("a text is a sequence of code points", () => {
  const state = { text: "a👍é" }
  expect(answer("len(session_state['text'])", state)).toBe("3")
  expect(answer("session_state['text'][1]", state)).toBe("'👍'")
  expect(answer("session_state['text'][::-1]", state)).toBe("'é👍a'")
  expect(answer("session_state['text'].find('é')", state)).toBe("2")
  expect(answer("'👍' < '\\uffff'", state)).toBe("False")
})

test("strip and split use Python's definition of whitespace", () => {
  expect(answer("'\\x1c a\\u2003b\\x85'.split()")).toBe("['a', 'b']")
  expect(answer("'\\ufeffa '.strip()")).toBe("'\\ufeffa'")
  expect(answer("'xxaxx'.strip('x')")).toBe("'a'")
})

test("split and rsplit accept a maximum number of splits", () => {
  expect(answer("'a b c'.split(' ', 1)")).toBe("['a', 'b c']")
  expect(answer("'a b c'.rsplit(maxsplit=1)")).toBe("['a b', 'c']")
  expect(answer("' 1  2 '.split(None, 1)")).toBe("['1', '2 ']")
  expect(answer("'a\\r\\nb\\rc\\n'.splitlines(True)")).toBe("['a\\r\\n', 'b\\r', 'c\\n']")
})

test("case conversions follow Unicode", () => {
  expect(
    answer(
      "['ß'.upper(), 'ß'.title(), 'ΑΣ'.lower(), 'ﬁ'.capitalize(), 'Straße'.casefold(), 'ǆ'.title()]",
    ),
  ).toBe("['SS', 'Ss', 'ας', 'Fi', 'strasse', 'ǅ']")
  expect(answer(`"they're bill's".title()`)).toBe(`"They'Re Bill'S"`)
})

test("predicates distinguish decimals, digits and other numeric characters", () => {
  expect(
    answer(
      "['²'.isdigit(), '²'.isdecimal(), '½'.isnumeric(), '五'.isnumeric(), '٣'.isdigit(), '-1'.isdigit()]",
    ),
  ).toBe("[True, False, True, True, True, False]")
})

test("string literals can have escapes and prefixes", () => {
  expect(answer(String.raw`'\x41\102\u0043\U0001F44D' 'D' "e"`)).toBe("'ABC👍De'")
  expect(answer(String.raw`r'\n' + '\d'`)).toBe(String.raw`'\\n\\d'`)
  expect(answer("'''two\nlines'''")).toBe("'two\\nlines'")
})

test("repr escapes characters that cannot be printed and chooses the quotes", () => {
  expect(answer(String.raw`["it's", 'say "hi"', '\n\t\\', '\x00\u200b', '\ud800']`)).toBe(
    String.raw`["it's", 'say "hi"', '\n\t\\', '\x00\u200b', '\ud800']`,
  )
})

test("texts are ordered by code point, including lone surrogates", () => {
  expect(
    answer(
      "[ascii == sorted(ascii) for ascii in [['z', '\\ud7ff', '\\ud800', '\\udfff', '\\ue000', '\\uffff', '👍']]]",
    ),
  ).toBe("[True]")
  expect(answer("'a\\ud83dz' < 'a👍'")).toBe("True")
  expect(answer("'👍' < '👎' and not '👎' < '👍'")).toBe("True")
})

test("flags must fit into a C int", () => {
  const words = "OverflowError: Python int too large to convert to C int"
  expect(failure("'a'.splitlines(2**53)")).toBe(words)
  expect(failure("sorted([1], reverse=2**31)")).toBe(words)
  expect(answer("'a\\n'.splitlines(-2**31)")).toBe("['a\\n']")
})
