import { decompose } from "./decimal-expansion.js"
import { bitLength } from "./bit-length.js"

/**
 * Returns base ** exponent for finite floats, correctly rounded. The last digit of JavaScript's
 * `**` is wrong in about one of thirty results. A call takes about ten microseconds.
 */
export function exactPower(base: number, exponent: number): number {
  const quick = easyPower(base, exponent)
  if (quick !== null) return quick
  const negative = base < 0 && Math.abs(exponent % 2) === 1
  const magnitude =
    Number.isInteger(exponent) && exponent > 0 && exponent <= 64
      ? integerPower(base, exponent)
      : generalPower(base, exponent)
  return negative ? -magnitude : magnitude
}

/**
 * Returns the power if a single operation computes it precisely. This is the case for the exponents
 * 1, 2, 0.5 and -1, and for the bases 1 and -1. Also returns results that are out of range.
 * Otherwise, returns null.
 */
function easyPower(base: number, exponent: number): number | null {
  if (exponent === 1) return base
  if (exponent === 2) return base * base
  // Adding 0 converts -0: the square root of -0 is -0, but the power is 0.
  if (exponent === 0.5) return Math.sqrt(base) + 0
  if (exponent === -1) return 1 / base
  const rough = base ** exponent
  return rough === 0 || !Number.isFinite(rough) || Math.abs(base) === 1 ? rough : null
}

function integerPower(base: number, exponent: number): number {
  const { mantissa, exponent: scale } = decompose(base)
  return scaledFloat(mantissa ** BigInt(exponent), scale * exponent)
}

/** Number of fractional bits of the fixed-point numbers with which powers are computed. */
const precision = 192
const one = 1n << BigInt(precision)
const logarithmOfTwo = 4350955369971217654477563090224794165364344896676135745070n

/**
 * Computes base ** exponent as e ** (exponent * ln base). A factor 2 ** n is computed separately.
 */
function generalPower(base: number, exponent: number): number {
  const factor = decompose(exponent)
  const product = logarithm(base) * factor.mantissa * (exponent < 0 ? -1n : 1n)
  const power =
    factor.exponent >= 0 ? product << BigInt(factor.exponent) : product >> BigInt(-factor.exponent)
  const twos = (2n * power + logarithmOfTwo) / (2n * logarithmOfTwo)
  return scaledFloat(exponential(power - twos * logarithmOfTwo), Number(twos) - precision)
}

/**
 * Computes ln |value| with the series of the inverse hyperbolic tangent. The result is a
 * fixed-point number with `precision` fractional bits.
 */
function logarithm(value: number): bigint {
  const { mantissa, exponent } = decompose(value)
  let twos = exponent + bitLength(mantissa)
  let fraction = (mantissa << BigInt(precision)) >> BigInt(twos - exponent)
  // Scale the value to the range from 0.7 to 1.4, in which the series converges quickly.
  if (fraction * 10n < one * 7n) {
    fraction <<= 1n
    twos -= 1
  }
  const ratio = ((fraction - one) << BigInt(precision)) / (fraction + one)
  const square = (ratio * ratio) >> BigInt(precision)
  let sum = 0n
  let term = ratio
  for (let divisor = 1n; term !== 0n && term !== -1n; divisor += 2n) {
    sum += term / divisor
    term = (term * square) >> BigInt(precision)
  }
  return 2n * sum + BigInt(twos) * logarithmOfTwo
}

function exponential(value: bigint): bigint {
  let sum = one
  let term = value
  for (let divisor = 2n; term !== 0n && term !== -1n; divisor += 1n) {
    sum += term
    term = ((term * value) >> BigInt(precision)) / divisor
  }
  return sum
}

/**
 * Returns mantissa * 2 ** exponent as a float. Rounds only once, even if the result is subnormal.
 */
function scaledFloat(mantissa: bigint, exponent: number): number {
  const surplus = Math.max(bitLength(mantissa) - 64, -1074 - exponent, 0)
  const coarse = exponent + surplus === -1074 && bitLength(mantissa) - surplus < 53
  if (coarse) {
    const half = 1n << BigInt(surplus - 1)
    const kept = mantissa >> BigInt(surplus)
    const rest = mantissa - (kept << BigInt(surplus))
    const up = rest > half || (rest === half && kept % 2n === 1n)
    return Number(up ? kept + 1n : kept) * 2 ** -1074
  }
  const kept = mantissa >> BigInt(surplus)
  const sticky = kept << BigInt(surplus) === mantissa ? 0n : 1n
  const scale = exponent + surplus - 1
  const first = Math.trunc(scale / 2)
  return Number((kept << 1n) | sticky) * 2 ** first * 2 ** (scale - first)
}
