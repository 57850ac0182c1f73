import { expect, test } from "vitest"
import { answer, failure, refusal } from "./ask.js"

test("f-strings format numbers as Python does", () => {
  expect(answer("f'{1234567.891:,.2f}|{2.5:.0f}|{0.5:%}|{255:x}|{-5:05d}|{1234:010,}'")).toBe(
    "'1,234,567.89|2|50.000000%|ff|-0005|00,001,234'",
  )
  expect(answer("f'{1e20:g}|{0.000012345:g}|{12.0:.2}|{1e23:.16}'")).toBe(
    "'1e+20|1.2345e-05|1.2e+01|9.999999999999999e+22'",
  )
})

test("fields can align texts and can have a conversion", () => {
  expect(answer(`f'{"a":^5}|{"a":*>3}|{"é"!a}|{"é"!r:>5}'`)).toBe(`"  a  |**a|'\\\\xe9'|  'é'"`)
  expect(answer("f'{True:>6}|{True}'")).toBe("'     1|True'")
})

test("a field with `=` shows the source of the field", () => {
  expect(answer("f'{session_state[\"n\"] = }'", { n: 3 })).toBe(`'session_state["n"] = 3'`)
})

test("a format that does not fit the value fails", () => {
  expect(failure("f'{session_state[\"s\"]:d}'", { s: "abc" })).toBe(
    "ValueError: Unknown format code 'd' for object of type 'str'",
  )
  expect(failure("f'{None:>5}'")).toBe(
    "TypeError: unsupported format string passed to NoneType.__format__",
  )
})

test("other kinds of formatting, and formats that are not literal, are refused", () => {
  expect(refusal("'%s' % session_state").reason).toBe("format")
  expect(refusal("'{0.__class__}'.format(session_state)").reason).toBe("format")
  expect(refusal("session_state['pattern'].format(1)").reason).toBe("format")
  expect(refusal("'{:{}}'.format(1, 2)").reason).toBe("format")
  expect(refusal("'{:1000000}'.format(1)").reason).toBe("resource")
  expect(refusal("f'{1:{2}}'").reason).toBe("format")
  expect(refusal("f'{1:1000000}'").reason).toBe("resource")
})
