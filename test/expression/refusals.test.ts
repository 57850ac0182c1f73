import { expect, test } from "vitest"
import { AgentStatechartsError } from "../../src/errors.js"
import { answer, refusal } from "./ask.js"

test("a refusal has a code, a reason and the column of the problem", () => {
  const error = refusal("  session_state['a'] and state['b']")
  expect(error).toBeInstanceOf(AgentStatechartsError)
  expect(error).toMatchObject({
    code: "condition_refused",
    name: "ConditionRefused",
    reason: "unknown-name",
    column: 26,
    pyType: "NameError",
  })
  expect(error.message).toBe('"state" is not known here. Did you mean "session_state"? (column 26)')
})

test("the message about syntax of other languages contains the fix", () => {
  expect(refusal("session_state.get('a') && True").message).toContain('use "and"')
  expect(refusal("session_state.get('a') || True").message).toContain('use "or"')
  expect(refusal("!session_state.get('a')").message).toContain('Did you mean "not"')
  expect(refusal("session_state.get('a') === 1").message).toContain('use "=="')
  expect(refusal("session_state.get('a') = 1").message).toContain('Did you mean "=="')
  expect(refusal("session_state.get('a') == null").message).toContain('Did you mean "None"')
  expect(refusal("session_state.get('a') == “x”").message).toContain("typographic quote")
  expect(refusal("score > 3").message).toContain("session_state.get('score')")
  expect(refusal("session_state.score > 3").message).toContain(".get('score')")
})

test.each([
  ["syntax", "session_state.get('a'"],
  ["dunder", "().__class__"],
  ["dunder", "session_state.__ｃlass__"],
  ["lambda", "sorted([1], key=lambda x: x)"],
  ["assignment", "(x := 1)"],
  ["await", "await session_state"],
  ["yield", "(yield 1)"],
  ["starred", "max(*[1, 2])"],
  ["literal", "b'a'"],
  ["literal", "3j"],
  ["operator", "1 @ 2"],
  ["attribute", "session_state.score"],
  ["method", "'a'.encode()"],
  ["mutation", "session_state.pop('a')"],
  ["format", "'{.real}'.format(1)"],
  ["format", "session_state['s'].format(1)"],
  ["format", "'{} {}'.format(1)"],
  ["bare-builtin", "len"],
  ["unknown-name", "eval('1')"],
  ["call", "session_state()"],
  ["keyword", "sorted([1], cmp=1)"],
  ["keyfn", "sorted([1], key=None)"],
  ["arity", "isinstance(1)"],
  ["isinstance", "isinstance(1, session_state)"],
  ["iterator-value", "zip([1])"],
  ["iterator-value", "map(len, session_state)"],
  ["resource", "'a'.ljust(10 ** 9)"],
  ["keyfn", "list(map(session_state, [1]))"],
  ["arity", "list(map(len, [1], [2]))"],
  ["generator-value", "(x for x in [1])"],
  ["next", "next([1])"],
  ["shadow", "[len for len in [1]]"],
  ["target", "[1 for x.y in [1]]"],
  ["identity", "session_state.get('a') is 3"],
  ["unhashable", "{{'a'}}"],
  ["resource", "10 ** 10 ** 8"],
  [
    "limit",
    "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
  ],
])("the reason is %s for the refused expression %s", (reason, expression) => {
  expect(refusal(expression).reason).toBe(reason)
})

test("a generator is refused where Python would treat it as true", () => {
  expect(refusal("(x for x in session_state) and True").reason).toBe("generator-value")
  expect(answer("any(x for x in [1])")).toBe("True")
})

test("character names in strings are not supported", () => {
  expect(refusal("'\\N{DIGIT ONE}'")).toMatchObject({ reason: "literal", column: 2 })
})

test("a source that is not a text is refused with a typed error", () => {
  expect(refusal(undefined as unknown as string).reason).toBe("syntax")
})
