import { expect, test } from "vitest"
import { conditionLimits } from "../../src/expression/index.js"
import { answer, failureOf, refusal } from "./ask.js"

test("constant expressions that need too many resources are refused at compile time", () => {
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

test("expressions whose state makes them too expensive reach a limit at run time", () => {
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

test("expressions that are exactly at a limit are accepted", () => {
  expect(answer(`sum(x for x in range(${conditionLimits.staticIterations}))`)).toBe("4999950000")
  expect(answer(`len('a' * ${conditionLimits.text})`)).toBe("100000")
  expect(answer(`len('👍' * ${conditionLimits.text})`)).toBe("100000")
  expect(answer(`len([0] * ${conditionLimits.repetition})`)).toBe("10000")
  expect(
    answer("len(session_state['xs'] * 4)", { xs: Array(conditionLimits.collection / 4).fill(0) }),
  ).toBe("200000")
  expect(answer(`${"(".repeat(conditionLimits.depth)}1${")".repeat(conditionLimits.depth)}`)).toBe(
    "1",
  )
  expect(answer(`len('${"a".repeat(conditionLimits.stringLiteral)}')`)).toBe("2000")
})

test("expressions that are just above a limit are refused", () => {
  expect(refusal(`'${"a".repeat(conditionLimits.stringLiteral + 1)}'`).reason).toBe("limit")
  expect(refusal(`${" ".repeat(conditionLimits.source)}1`).reason).toBe("limit")
  expect(refusal(`[${"0,".repeat(conditionLimits.nodes)}]`).reason).toBe("limit")
  expect(refusal(`${"1+".repeat(conditionLimits.depth + 1)}1`).reason).toBe("limit")
})

test("a long text of the state can be split, counted and sorted", () => {
  const draft = Array.from({ length: 60_000 }, (_, index) => `word${(index * 7919) % 10_007}`)
  const state = {
    draft: draft.join(" "),
    scores: draft.slice(0, 20_000).map(({ length }) => length),
  }
  expect(answer("len(session_state['draft'].split())", state)).toBe("60000")
  expect(answer("len(set(session_state['draft'].split()))", state)).toBe("10007")
  expect(answer("len(sorted(session_state['scores']))", state)).toBe("20000")
})

test("the cost of reading a large state is checked before the state is read", () => {
  let reads = 0
  const large = new Proxy(
    Object.fromEntries(Array.from({ length: 300_000 }, (_, key) => [key, 1])),
    {
      getOwnPropertyDescriptor: (target, key) => {
        reads++
        return Reflect.getOwnPropertyDescriptor(target, key)
      },
    },
  )
  const state = { d: large, xs: Array(1_000_000).fill(0) }
  for (const condition of [
    "list(session_state['d'].items())",
    "any(v < 0 for v in session_state['d'].values())",
    "len(session_state['d'])",
    "session_state['xs'] == session_state['xs'][:]",
    "sorted(session_state['xs'])",
  ]) {
    expect(failureOf(condition, state), condition).toMatchObject({ limit: true })
  }
  // Object.keys of a proxy reads each property descriptor once.
  expect(reads).toBeLessThanOrEqual(3 * 300_000)
})

test("a long text of the state can be read but not extended", () => {
  const state = { text: "word ".repeat(60_000) }
  expect(answer("'word' in session_state['text'].lower().strip()", state)).toBe("True")
  expect(answer("len(session_state['text'])", state)).toBe("300000")
  expect(failureOf("session_state['text'] + 'x'", state).limit).toBe(true)
})

test("a state that is nested too deeply for the stack causes a typed error", () => {
  let deep: unknown = 1
  for (let level = 0; level < 50_000; level++) deep = [deep]
  expect(
    failureOf("session_state['a'] == session_state['b']", { a: deep, b: [deep] }),
  ).toMatchObject({ pyType: "RecursionError", limit: true })
})
