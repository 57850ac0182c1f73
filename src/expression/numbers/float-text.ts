import { fixedDigits, shortestDigits, significantDigits } from "./decimal-expansion.js"

/**
 * Returns Python's `repr` of a float, which has the shortest digits that identify the float. For
 * values from 1e-4 to 1e16, the text has no exponent.
 */
export function floatText(value: number): string {
  return (value < 0 || Object.is(value, -0) ? "-" : "") + (magnitudeText(value) ?? shortest(value))
}

function shortest(value: number): string {
  if (value === 0) return "0.0"
  const { digits, exponent } = shortestDigits(value)
  return exponent >= -4 && exponent < 16
    ? withPoint(digits, exponent, 1)
    : withExponent(digits, exponent)
}

/**
 * Formats the absolute value of a float with a format type, such as `f` in `format(value, ".2f")`.
 * The result has no sign.
 */
export function formatMagnitude(
  value: number,
  type: "e" | "f" | "g" | "repr",
  precision: number | null,
): string {
  const word = magnitudeText(value)
  if (word !== null) return word
  switch (type) {
    case "f":
      return fixed(value, precision ?? 6)
    case "e": {
      const { digits, exponent } = significantDigits(value, (precision ?? 6) + 1)
      return withExponent(digits, exponent)
    }
    case "g":
      return general(value, precision ?? 6, false)
    case "repr":
      return precision === null ? shortest(Math.abs(value)) : general(value, precision, true)
  }
}

function magnitudeText(value: number): string | null {
  if (Number.isNaN(value)) return "nan"
  return Number.isFinite(value) ? null : "inf"
}

function fixed(value: number, places: number): string {
  const digits = fixedDigits(value, places).padStart(places + 1, "0")
  const whole = digits.length - places
  return places === 0 ? digits : `${digits.slice(0, whole)}.${digits.slice(whole)}`
}

/**
 * Formats a number with at most `precision` significant digits and without trailing zeros. If
 * `keepsPoint` is true, whole numbers have one decimal place, as in a format without a type.
 */
function general(value: number, precision: number, keepsPoint: boolean): string {
  const count = Math.max(1, precision)
  const { digits, exponent } = significantDigits(value, count)
  let length = digits.length
  while (length > 1 && digits[length - 1] === "0") length--
  const kept = digits.slice(0, length)
  const isDecimal = exponent >= -4 && exponent < (keepsPoint ? count - 1 : count)
  return isDecimal ? withPoint(kept, exponent, keepsPoint ? 1 : 0) : withExponent(kept, exponent)
}

function withPoint(digits: string, exponent: number, places: number): string {
  const padded = exponent < 0 ? "0".repeat(-exponent) + digits : digits.padEnd(exponent + 1, "0")
  const whole = Math.max(0, exponent) + 1
  const fraction = padded.slice(whole).padEnd(places, "0")
  return fraction === "" ? padded.slice(0, whole) : `${padded.slice(0, whole)}.${fraction}`
}

function withExponent(digits: string, exponent: number): string {
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`
}
