import { expect, test } from "vitest"
import { answer, failure, failureOf, refusal } from "./ask.js"

const state = { scores: { a: 3, b: 9, c: 5 }, words: ["bb", "a", "", "ccc"], text: "7", n: 1e9 }

test("the argument `key` accepts the get method of a dict", () => {
  const scores = "session_state['scores']"
  expect(answer(`max(${scores}, key=${scores}.get)`, state)).toBe("'b'")
  expect(answer(`sorted(${scores}, key=${scores}.get, reverse=True)`, state)).toBe(
    "['b', 'c', 'a']",
  )
  expect(failure(`max([1], key=session_state['text'].get)`, state)).toBe(
    "AttributeError: 'str' object has no attribute 'get'",
  )
})

test("map and filter accept a builtin or the get method of a dict and must be consumed in place", () => {
  expect(answer("sum(map(len, session_state['words']))", state)).toBe("6")
  expect(answer("list(filter(None, session_state['words']))", state)).toBe("['bb', 'a', 'ccc']")
  expect(answer("any(map(session_state['scores'].get, ['x', 'a']))", state)).toBe("True")
  expect(answer("list(map(int, '12'))")).toBe("[1, 2]")
  expect(failure("list(map(int, ['x']))")).toContain("ValueError")
  expect(failure("list(map(int, None))")).toBe("TypeError: 'NoneType' object is not iterable")
  expect(refusal("map(len, session_state)").message).toContain("list(map(...))")
  expect(refusal("list(map(str.lower, ['A']))").message).toContain("Write a comprehension")
})

test("dict accepts keyword arguments", () => {
  expect(answer("dict(a=1, b=2)")).toBe("{'a': 1, 'b': 2}")
  expect(answer("dict({'a': 1}, a=2, key=3)")).toBe("{'a': 2, 'key': 3}")
  expect(refusal("dict(__class__=1)").reason).toBe("dunder")
})

test("texts can be padded and tested for ASCII", () => {
  expect(answer("session_state['text'].zfill(3) + '-7'.zfill(4)", state)).toBe("'007-007'")
  expect(answer("'a'.ljust(3, '*') + 'b'.rjust(3)")).toBe("'a**  b'")
  expect(answer("['a'.isascii(), 'é'.isascii(), ''.isascii()]")).toBe("[True, False, True]")
  expect(failure("'a'.ljust(3, 'ab')")).toBe(
    "TypeError: The fill character must be exactly one character long",
  )
  expect(failureOf("'a'.rjust(session_state['n'])", state).limit).toBe(true)
  expect(refusal("'a'.zfill(10 ** 9)").reason).toBe("resource")
})

test("format accepts only a literal pattern of plain fields", () => {
  expect(answer("'{} of {}'.format(1, 'x')")).toBe("'1 of x'")
  expect(answer("'{1:>3}|{0!r}|{n:.2f}{{}}'.format('a', 2, n=0.5)")).toBe("\"  2|'a'|0.50{}\"")
  expect(failure("'{}'.format(session_state['missing'])")).toBe("KeyError: 'missing'")
  for (const [pattern, fix] of [
    ["'{0.x}'.format(1)", "{0} or {name}"],
    ["'{0[a]}'.format({})", "{0} or {name}"],
    ["'{:{}}'.format(1, 2)", "{0} or {name}"],
    ["'{} {0}'.format(1)", "mixes"],
    ["'{} {}'.format(1)", "{1} of the pattern has no argument"],
    ["'}'.format(1)", 'Write "}}"'],
    ["session_state['text'].format(1)", "Use an f-string"],
  ] as const) {
    expect(refusal(pattern), pattern).toMatchObject({ reason: "format" })
    expect(refusal(pattern).message).toContain(fix)
  }
})

test("a loop variable can be named map or filter", () => {
  expect(answer("[map for map in [1] for filter in [2]]")).toBe("[1]")
})
