import { expect, test } from "vitest"
import { answer, failure } from "./ask.js"

test("int and float are different types that are compared by value", () => {
  expect(answer("1 == 1.0 == True")).toBe("True")
  expect(answer("len({1, 1.0, True})")).toBe("1")
  expect(answer("6 / 2")).toBe("3.0")
  expect(answer("6 // 2")).toBe("3")
  expect(answer("1 + True")).toBe("2")
})

test("a safe whole number in the state is an int, and every other number is a float", () => {
  expect(
    answer("[session_state['a'], session_state['b'], session_state['c']]", {
      a: 3,
      b: 3.5,
      c: 2 ** 60,
    }),
  ).toBe("[3, 3.5, 1.152921504606847e+18]")
  expect(answer("isinstance(session_state['a'], int)", { a: -0 })).toBe("True")
})

test("integers are exact far beyond the range of floats", () => {
  expect(answer("2 ** 64 - 1")).toBe("18446744073709551615")
  expect(answer("9007199254740993 > 9007199254740992.0")).toBe("True")
  expect(answer("10 ** 20 // 3 % 7")).toBe("5")
  expect(answer("10 ** 400 / 10 ** 399")).toBe("10.0")
})

test("division rounds down, and the remainder has the sign of the divisor", () => {
  expect(answer("[-7 // 2, -7 % 2, 7 // -2, 7 % -2]")).toBe("[-4, 1, -4, -1]")
  expect(answer("[-3.5 // 2, -3.5 % 2, 5.5 % -2]")).toBe("[-2.0, 0.5, -0.5]")
  expect(answer("0 / -2")).toBe("-0.0")
})

test("round rounds half to even, based on the exact value", () => {
  expect(
    answer("[round(0.5), round(1.5), round(2.5), round(2.675, 2), round(0.125, 2), round(25, -1)]"),
  ).toBe("[0, 2, 2, 2.67, 0.12, 20]")
})

test("powers of floats are correct to the last digit", () => {
  expect(answer("2.1027806336455157 ** 3")).toBe("9.297836515747685")
  expect(answer("24 ** -6")).toBe("5.232780885631001e-09")
  expect(answer("0.5 ** 0.25")).toBe("0.8408964152537145")
})

test("the repr of a float has the fewest digits that identify the float", () => {
  expect(answer("[0.1 + 0.2, 1e15, 1e16, 0.0001, 0.00001, -0.0, 1e308 * 10, float('nan')]")).toBe(
    "[0.30000000000000004, 1000000000000000.0, 1e+16, 0.0001, 1e-05, -0.0, inf, nan]",
  )
})

test("int and float parse digits of every script and underscores", () => {
  expect(
    answer(
      "[int('  42\\n'), int('1_000'), int('٣'), int('0b101', 0), int('z', 36), float(' -2.5e1 ')]",
    ),
  ).toBe("[42, 1000, 3, 5, 35, -25.0]")
})

test("nan is not equal to itself but is in a list that contains it", () => {
  expect(answer("float('nan') == float('nan')")).toBe("False")
  expect(answer("[x in [x] for x in [float('nan')]]")).toBe("[True]")
})

test("int and float do not strip the separators U+001C to U+001F", () => {
  expect(failure("int('٣\\x1c')")).toBe(
    "ValueError: invalid literal for int() with base 10: '٣\\x1c'",
  )
  expect(failure("float('\\u20033\\x1f')")).toBe(
    "ValueError: could not convert string to float: '\\u20033\\x1f'",
  )
  expect(answer("int('\\u2003٣\\x85')")).toBe("3")
})

test("zero to the power of minus infinity is infinity", () => {
  expect(answer("[0 ** float('-inf'), -0.0 ** float('-inf')]")).toBe("[inf, -inf]")
  expect(failure("0.0 ** -1")).toBe("ZeroDivisionError: 0.0 cannot be raised to a negative power")
})
