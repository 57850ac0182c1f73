import { expect, test } from "vitest"
import { AgentStatechartsError } from "../../src/errors.js"
import { answer, failure, failureOf } from "./ask.js"

test("a missing key is a KeyError, and .get() returns the default", () => {
  expect(failure("session_state['quality']")).toBe("KeyError: 'quality'")
  expect(answer("session_state.get('quality', 'none')")).toBe("'none'")
})

test("the error of a comparison of a text with a number contains both types", () => {
  expect(failure("session_state['score'] >= 8", { score: "9" })).toBe(
    "TypeError: '>=' not supported between instances of 'str' and 'int'",
  )
})

test("every failure is a typed error with the name of Python's error", () => {
  const error = failureOf("1 / 0")
  expect(error).toBeInstanceOf(AgentStatechartsError)
  expect(error).toMatchObject({
    code: "condition_failed",
    name: "ConditionFailed",
    pyType: "ZeroDivisionError",
    limit: false,
  })
})

test("error messages have the wording of Python", () => {
  expect(failure("[1][5]")).toBe("IndexError: list index out of range")
  expect(failure("None.get('a')")).toBe("AttributeError: 'NoneType' object has no attribute 'get'")
  expect(failure("int('high')")).toBe("ValueError: invalid literal for int() with base 10: 'high'")
  expect(failure("[x for x, y in [(1, 2, 3)]]")).toBe(
    "ValueError: too many values to unpack (expected 2)",
  )
  expect(failure("{(1, []): 3}")).toBe("TypeError: unhashable type: 'list'")
  expect(failure("next(x for x in [])")).toBe("StopIteration")
  expect(failure("any(next(x for x in []) for y in [1])")).toBe(
    "RuntimeError: generator raised StopIteration",
  )
  expect(failure("10.0 ** 400")).toBe("OverflowError: (34, 'Numerical result out of range')")
})

test("an attribute is looked up before its arguments are evaluated", () => {
  expect(failure("(1).lower(session_state['missing'])")).toBe(
    "AttributeError: 'int' object has no attribute 'lower'",
  )
})

test("an operation that only Python supports fails with an UnsupportedError", () => {
  expect(failureOf("session_state['s'] % 2", { s: "%d" }).pyType).toBe("UnsupportedError")
  expect(failureOf("(-8) ** 0.5").pyType).toBe("UnsupportedError")
})
