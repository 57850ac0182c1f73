/** Returns the number of bits of the absolute value, like Python's `int.bit_length`. */
export function bitLength(value: bigint): number {
  const digits = (value < 0n ? -value : value).toString(16)
  return digits === "0"
    ? 0
    : (digits.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(digits.charAt(0), 16)))
}
