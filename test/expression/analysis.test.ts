import { expect, test } from "vitest"
import { compileCondition } from "../../src/expression/index.js"

test("`reads` lists the keys that are read by a literal name, sorted and without duplicates", () => {
  const { reads } = compileCondition(
    "session_state['b'] == session_state.get('a', session_state.get('c')) and 'd' in session_state and 'b' not in session_state",
  )
  expect(reads).toEqual(["a", "b", "c", "d"])
})

test("`reads` includes keys in comprehensions and f-strings, but no computed keys", () => {
  const { reads } = compileCondition(
    "any(session_state['rows'][i] == f\"{session_state['x']}\" for i in session_state.get('k' + 'l'))",
  )
  expect(reads).toEqual(["rows", "x"])
})

test("`reads` does not include keys of nested dicts", () => {
  expect(compileCondition("session_state['a']['b'].get('c')").reads).toEqual(["a"])
})

test("a condition without session_state is constant", () => {
  expect(compileCondition("1 < 2").constant).toBe(true)
  expect(compileCondition("len(session_state) > 2").constant).toBe(false)
})

test.each([
  ["len(session_state) > 2", true],
  ["session_state[session_state['a']] == 1", true],
  ["'a' in session_state == True", true],
  ["session_state['a'] == 1 and 'b' in session_state", false],
  ["1 < 2", false],
])("the condition %s reads keys that are not in `reads`: %s", (source, expected) => {
  expect(compileCondition(source).readsOtherKeys).toBe(expected)
})

test("`numericComparisons` lists the keys whose values are compared directly with a number", () => {
  const condition = compileCondition(
    "session_state['a'] > 3 or session_state.get('b', 0) >= -5 or 0 < session_state['c'] <= 1.5 or session_state['d'] == 2",
  )
  expect(condition.numericComparisons).toEqual(["a", "b", "c", "d"])
})

test("`numericComparisons` omits comparisons with a conversion, a text or a bool", () => {
  const condition = compileCondition(
    "int(session_state['a']) > 3 or session_state['b'] == '3' or session_state['c'] == True or session_state['d'] > session_state['e']",
  )
  expect(condition.numericComparisons).toEqual([])
})

test("the source of a compiled condition is the original text", () => {
  expect(compileCondition("  True ").source).toBe("  True ")
})
