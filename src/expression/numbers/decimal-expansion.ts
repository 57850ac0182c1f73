/**
 * The decimal digits of a float, without its sign. They are computed exactly and rounded half to
 * even, as in Python. JavaScript's `toFixed` rounds halves up and only works below 1e21.
 */
export interface Digits {
  /** Significant digits, such as "314" for 3.14. The decimal point is after the first digit. */
  readonly digits: string
  readonly exponent: number
}

/**
 * Returns the decimal digits of `round(|value| * 10 ** places)`, computed exactly. For example,
 * returns "314" for 3.14 and 2 places.
 */
export function fixedDigits(value: number, places: number): string {
  return roundedScaled(value, places).toString()
}

/** Returns the first `count` significant decimal digits of a float, rounded half to even. */
export function significantDigits(value: number, count: number): Digits {
  if (value === 0) return { digits: "0".repeat(count), exponent: 0 }
  // The shortest form may be rounded up to a power of ten: the float 1e23 is slightly less than 10
  // ** 23. Therefore the search starts with the next lower exponent.
  for (let exponent = shortestDigits(value).exponent - 1; ; exponent++) {
    const digits = roundedScaled(value, count - 1 - exponent).toString()
    if (digits.length === count) return { digits, exponent }
  }
}

/** Returns the shortest sequence of digits that identifies the same float. */
export function shortestDigits(value: number): Digits {
  const text = Math.abs(value).toExponential()
  const mark = text.indexOf("e")
  return { digits: text[0] + text.slice(2, mark), exponent: Number(text.slice(mark + 1)) }
}

function roundedScaled(value: number, places: number): bigint {
  const { mantissa, exponent } = decompose(value)
  let numerator = mantissa
  let denominator = 1n
  if (places >= 0) numerator *= 10n ** BigInt(places)
  else denominator *= 10n ** BigInt(-places)
  if (exponent >= 0) numerator <<= BigInt(exponent)
  else denominator <<= BigInt(-exponent)
  const quotient = numerator / denominator
  const twice = 2n * (numerator % denominator)
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  return up ? quotient + 1n : quotient
}

/**
 * Returns the exact mantissa and exponent of a float, so that |value| = mantissa * 2 ** exponent.
 */
export function decompose(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const fraction = bits & 0xfffffffffffffn
  const field = Number((bits >> 52n) & 0x7ffn)
  return field === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: field - 1075 }
}
