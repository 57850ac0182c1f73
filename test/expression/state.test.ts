import { expect, test } from "vitest"
import { compileCondition } from "../../src/expression/index.js"
import { answer, failureOf, result } from "./ask.js"

test("the names of JavaScript's prototype members are plain data", () => {
  for (const key of ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"]) {
    expect(answer(`session_state.get('${key}')`)).toBe("None")
    const state = JSON.parse(`{"${key}": 1}`) as Record<string, unknown>
    expect(answer(`session_state['${key}']`, state)).toBe("1")
    expect(answer("list(session_state)", state)).toBe(`['${key}']`)
  }
})

test("a getter is never called, and its key is absent", () => {
  const state = {
    plain: 1,
    get secret(): number {
      throw new Error("called")
    },
  }
  expect(
    answer("[session_state.get('secret'), 'secret' in session_state, len(session_state)]", state),
  ).toBe("[None, False, 1]")
})

test("a value that JSON cannot represent is absent, and None in a list", () => {
  const state = { gone: undefined, call: () => 1, list: [undefined, Symbol("s"), 1] }
  expect(answer("session_state", state)).toBe("{'list': [None, None, 1]}")
})

test("inherited keys are absent", () => {
  const state = Object.create({ inherited: 1 }) as Record<string, unknown>
  expect(answer("session_state.get('inherited')", state)).toBe("None")
})

test("keys are in JavaScript's order, with numbers first", () => {
  expect(answer("list(session_state['m'])", { m: { b: 1, "10": 2, a: 3, "9": 4 } })).toBe(
    "['9', '10', 'b', 'a']",
  )
})

test("a condition reads only the keys that it uses and never changes the state", () => {
  const looked: PropertyKey[] = []
  const state = new Proxy(
    { a: 1, b: 2 },
    {
      getOwnPropertyDescriptor: (target, key) => (
        looked.push(key),
        Reflect.getOwnPropertyDescriptor(target, key)
      ),
      get: () => {
        throw new Error("read")
      },
      set: () => {
        throw new Error("written")
      },
    },
  )
  expect(result("session_state['a'] == 1", state).truthy).toBe(true)
  expect(looked).toEqual(["a"])
})

test("a state that is not an object or is a hostile proxy causes a typed error", () => {
  expect(failureOf("session_state", null as unknown as Record<string, unknown>).pyType).toBe(
    "UnsupportedError",
  )
  const hostile = new Proxy({}, { getOwnPropertyDescriptor: () => ({ value: 1 }) })
  expect(failureOf("session_state['a']", hostile).pyType).toBe("UnsupportedError")
})

test("a state with a cycle causes an error only if the cycle is traversed", () => {
  const state: Record<string, unknown> = { done: true }
  state["self"] = state
  expect(answer("session_state['self']['self']['done']", state)).toBe("True")
  expect(failureOf("str(session_state)", state).limit).toBe(true)
  expect(result("session_state", state).repr).toBe("<dict too large to show>")
})

test("a compiled condition can be evaluated with several states", () => {
  const condition = compileCondition("[x for x in session_state['xs'] if x > 1]")
  expect(condition.evaluate({ xs: [1, 2] }).repr).toBe("[2]")
  expect(condition.evaluate({ xs: [3] }).repr).toBe("[3]")
})
