import { expect, test } from "vitest"
import { answer } from "./ask.js"

test("`not` binds weaker than comparisons and stronger than `and`", () => {
  expect(answer("not 1 == 2")).toBe("True")
  expect(answer("not False and False")).toBe("False")
  expect(answer("not (False and False)")).toBe("True")
  expect(answer("not 'a' in 'abc' or True")).toBe("True")
})

test("`and` binds stronger than `or`, and both return the deciding operand", () => {
  expect(answer("True or False and False")).toBe("True")
  expect(answer("0 or '' or None")).toBe("None")
  expect(answer("'a' and 1 and []")).toBe("[]")
  expect(answer("'first' or session_state['missing']")).toBe("'first'")
})

test("a chained comparison compares every pair and stops at the first false pair", () => {
  expect(answer("1 < 2 < 3")).toBe("True")
  expect(answer("3 > 2 > 2")).toBe("False")
  expect(answer("1 == 1 in [1]")).toBe("True")
  expect(answer("3 < 2 < session_state['missing']")).toBe("False")
})

test("powers group from the right and bind stronger than a sign before them", () => {
  expect(answer("2 ** 3 ** 2")).toBe("512")
  expect(answer("-2 ** 2")).toBe("-4")
  expect(answer("2 ** -1")).toBe("0.5")
})

test("other operators group from the left, and bit operators bind between arithmetic and comparisons", () => {
  expect(answer("10 - 4 - 3")).toBe("3")
  expect(answer("1 << 2 + 1")).toBe("8")
  expect(answer("1 | 2 ^ 3 & 4")).toBe("3")
  expect(answer("6 & 3 == 2")).toBe("True")
})

test("a conditional expression binds weakest of all", () => {
  expect(answer("1 + 1 if True else 10")).toBe("2")
  expect(answer("1 or 2 if 0 else 3")).toBe("3")
  expect(answer("1 if False else 2 if False else 3")).toBe("3")
  expect(answer("1 if True else session_state['missing']")).toBe("1")
})

test("line breaks and comments are allowed inside brackets", () => {
  expect(answer("(1 +  # one\n 2)")).toBe("3")
  expect(answer("  1 + \\\n 2  # three\n")).toBe("3")
})

test("names are compared after Unicode normalization, as in Python", () => {
  expect(answer("ｌｅｎ([1])")).toBe("1")
})
