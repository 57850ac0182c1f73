import { expect, test } from "vitest"
import { conditionLimits } from "../../src/expression/index.js"
import { answer, failureOf, refusal } from "./ask.js"

test("constant bombs are refused before they run", () => {
  for (const bomb of [
    "9 ** 9 ** 9",
    "'a' * 10 ** 9",
    "[0] * 10 ** 9",
    "1 << 10 ** 9",
    "sum(range(10 ** 12))",
    "[1 for a in range(1000) for b in range(1000)]",
  ]) {
    expect(refusal(bomb).reason, bomb).toBe("resource")
  }
})

test("bombs made of the state reach a limit while they run", () => {
  const state = { n: 1e9, s: "a".repeat(1000) }
  for (const bomb of [
    "'a' * session_state['n']",
    "[0] * session_state['n']",
    "10 ** session_state['n']",
    "1 << session_state['n']",
    "list(range(session_state['n']))",
    "any(x < 0 for x in range(session_state['n']))",
    "session_state['s'] * 100 + session_state['s']",
    "session_state['s'].replace('a', session_state['s'])",
  ]) {
    expect(failureOf(bomb, state), bomb).toMatchObject({ pyType: "LimitError", limit: true })
  }
})

test("the limits themselves are within reach", () => {
  expect(answer(`sum(x for x in range(${conditionLimits.staticIterations}))`)).toBe("4999950000")
  expect(answer(`len('a' * ${conditionLimits.text})`)).toBe("100000")
  expect(answer(`len('👍' * ${conditionLimits.text})`)).toBe("100000")
  expect(answer(`len([0] * ${conditionLimits.collection})`)).toBe("10000")
  expect(answer(`${"(".repeat(conditionLimits.depth)}1${")".repeat(conditionLimits.depth)}`)).toBe(
    "1",
  )
  expect(answer(`len('${"a".repeat(conditionLimits.stringLiteral)}')`)).toBe("2000")
})

test("one more is too much", () => {
  expect(refusal(`'${"a".repeat(conditionLimits.stringLiteral + 1)}'`).reason).toBe("limit")
  expect(refusal(`${" ".repeat(conditionLimits.source)}1`).reason).toBe("limit")
  expect(refusal(`[${"0,".repeat(conditionLimits.nodes)}]`).reason).toBe("limit")
  expect(refusal(`${"1+".repeat(conditionLimits.depth + 1)}1`).reason).toBe("limit")
})

test("a long text of the state may be read and cut, only making longer ones is limited", () => {
  const state = { text: "word ".repeat(60_000) }
  expect(answer("'word' in session_state['text'].lower().strip()", state)).toBe("True")
  expect(answer("len(session_state['text'])", state)).toBe("300000")
  expect(failureOf("session_state['text'] + 'x'", state).limit).toBe(true)
})

test("a state that is nested too deeply for the stack is an error like any other", () => {
  let deep: unknown = 1
  for (let level = 0; level < 50_000; level++) deep = [deep]
  expect(
    failureOf("session_state['a'] == session_state['b']", { a: deep, b: [deep] }),
  ).toMatchObject({ pyType: "RecursionError", limit: true })
})
