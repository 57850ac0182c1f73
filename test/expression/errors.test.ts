import { expect, test } from "vitest"
import { AgentStatechartsError } from "../../src/errors.js"
import { answer, failure, failureOf } from "./ask.js"

test("a missing key is a KeyError, and .get() gives the default instead", () => {
  expect(failure("session_state['quality']")).toBe("KeyError: 'quality'")
  expect(answer("session_state.get('quality', 'none')")).toBe("'none'")
})

test("a comparison of a text with a number names both types", () => {
  expect(failure("session_state['score'] >= 8", { score: "9" })).toBe(
    "TypeError: '>=' not supported between instances of 'str' and 'int'",
  )
})

test("every failure is one typed error with Python's type", () => {
  const error = failureOf("1 / 0")
  expect(error).toBeInstanceOf(AgentStatechartsError)
  expect(error).toMatchObject({
    code: "condition_failed",
    name: "ConditionFailed",
    pyType: "ZeroDivisionError",
    limit: false,
  })
})

test("the words are Python's own", () => {
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

test("what Python can and this language cannot fails as unsupported", () => {
  expect(failureOf("session_state['s'] % 2", { s: "%d" }).pyType).toBe("UnsupportedError")
  expect(failureOf("(-8) ** 0.5").pyType).toBe("UnsupportedError")
})
