import { expect, test } from "vitest"
import { answer, failure } from "./ask.js"

test("lists and tuples compare item by item and are never equal to each other", () => {
  expect(answer("[[1, 2] < [1, 3], [1, 2] < [1, 2, 0], (1, 2) == [1, 2], [1, 'a'] < [2, 2]]")).toBe(
    "[True, True, False, True]",
  )
})

test("slices are clamped and can run backwards", () => {
  expect(answer("[1, 2, 3][::-1]")).toBe("[3, 2, 1]")
  expect(answer("[1, 2, 3][-2:100]")).toBe("[2, 3]")
  expect(answer("[1, 2, 3][-1:-4:-2]")).toBe("[3, 1]")
})

test("equal keys are one key, and the first key is kept", () => {
  expect(answer("{1: 'a', True: 'b', 1.0: 'c'}")).toBe("{1: 'c'}")
  expect(answer("{(1, 2): 'x'}[1.0, 2]")).toBe("'x'")
  expect(answer("len({(float('nan'),), (float('nan'),)})")).toBe("2")
})

test("dicts can be merged, and their keys and items behave like sets", () => {
  expect(answer("{'a': 1} | {'a': 2, 'b': 3}")).toBe("{'a': 2, 'b': 3}")
  expect(answer("session_state.keys() >= {'a'}", { a: 1, b: 2 })).toBe("True")
  expect(answer("session_state.keys() & ['b', 'c']", { a: 1, b: 2 })).toBe("{'b'}")
  expect(answer("('a', 1.0) in session_state.items()", { a: 1 })).toBe("True")
})

test("comparisons of sets test for subsets", () => {
  expect(
    answer("[{1} < {1, 2}, {1, 3} < {1, 2}, {1, 2} <= {1, 2}, {1, 2} ^ {2, 3} == {1, 3}]"),
  ).toBe("[True, False, True, True]")
})

test("sorted is stable in both directions and accepts a builtin as key", () => {
  expect(answer("sorted(['ccc', 'a', 'bb', 'd'], key=len, reverse=True)")).toBe(
    "['ccc', 'bb', 'a', 'd']",
  )
  expect(answer("max(['a', 'bbb', 'cc'], key=len)")).toBe("'bbb'")
  expect(answer("max([], default=None)")).toBe("None")
})

test("comprehensions have their own variables", () => {
  expect(answer("[x for x in [1, 2, 3] if x in [x for x in [2]]]")).toBe("[2]")
  expect(answer("[a + b for a, (b, c) in [(1, (2, 3))]]")).toBe("[3]")
  expect(answer("[y for row in [[1], [2, 3]] for y in row]")).toBe("[1, 2, 3]")
  expect(answer("{x: x ** 2 for x in range(3)}")).toBe("{0: 0, 1: 1, 2: 4}")
})

test("any and next stop at the first item that decides", () => {
  expect(answer("any(x > 1 for x in [2, 'a'])")).toBe("True")
  expect(answer("next((x for x in [1, 2, 3] if x > 1), None)")).toBe("2")
})

test("zip, enumerate, reversed and range can be consumed in place", () => {
  expect(answer("list(zip('ab', reversed([1, 2])))")).toBe("[('a', 2), ('b', 1)]")
  expect(answer("list(enumerate('ab', start=1))")).toBe("[(1, 'a'), (2, 'b')]")
  expect(answer("2.0 in range(3)")).toBe("True")
})

test("a set of numbers is iterated in Python's order, and a set of texts in insertion order", () => {
  expect(answer("list({3, 1, 2})")).toBe("[1, 2, 3]")
  expect(answer("[x for x in set([40, -5, 9, 1, 0.5])]")).toBe("[0.5, 1, 40, 9, -5]")
  expect(answer("list({27, 767, False, 3})")).toBe("[False, 27, 3, 767]")
  expect(answer("list({'b', 'a'})")).toBe("['b', 'a']")
})

test("the start of enumerate must be an integer", () => {
  expect(answer("list(enumerate(['a'], True))")).toBe("[(1, 'a')]")
  for (const start of ["None", "start=None"])
    expect(failure(`list(enumerate([1], ${start}))`)).toBe(
      "TypeError: 'NoneType' object cannot be interpreted as an integer",
    )
})
