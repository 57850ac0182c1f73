import { expect, test } from "vitest"
import { result } from "./ask.js"

test("zero, empty values and None are false", () => {
  for (const expression of [
    "0",
    "0.0",
    "-0.0",
    "''",
    "()",
    "[]",
    "{}",
    "set()",
    "None",
    "False",
    "session_state.get('x')",
  ]) {
    expect(result(expression).truthy, expression).toBe(false)
  }
})

test("all other values are true, including the text 'False'", () => {
  for (const expression of [
    "1",
    "-1",
    "'False'",
    "'0'",
    "' '",
    "[0]",
    "{0}",
    "{'a': 0}",
    "(0,)",
    "float('nan')",
  ]) {
    expect(result(expression).truthy, expression).toBe(true)
  }
})

test("a result has the same type and repr as in Python", () => {
  expect(result("1.0")).toMatchObject({ truthy: true, type: "float", repr: "1.0" })
  expect(result("None")).toMatchObject({ truthy: false, type: "NoneType", repr: "None" })
  expect(result("session_state", { a: [1, null] })).toMatchObject({
    type: "dict",
    repr: "{'a': [1, None]}",
  })
  expect(result("{'b', 'a'}").repr).toBe("{'a', 'b'}")
})

test("`is` compares with None, True and False by identity", () => {
  const state = { one: 1, yes: true, nothing: null }
  expect(result("session_state['one'] is True", state).truthy).toBe(false)
  expect(result("session_state['one'] == True", state).truthy).toBe(true)
  expect(result("session_state['yes'] is True", state).truthy).toBe(true)
  expect(result("session_state['nothing'] is not None", state).truthy).toBe(false)
})
