const decimalDigit = /^\p{Nd}$/u
const beyondAscii = /[\u0080-\uffff]/

/**
 * Replaces the decimal digits of all scripts by 0 to 9, because Python accepts all of them in
 * numbers. For example, "٣" becomes "3".
 */
export function asciiDigits(text: string): string {
  if (!beyondAscii.test(text)) return text
  let result = ""
  for (const character of text)
    result += decimalDigit.test(character) ? String(decimalValue(character)) : character
  return result
}

/**
 * Returns the numeric value of a decimal digit of any script. Unicode arranges decimal digits in
 * runs of ten code points, so the value is the distance to the start of the run.
 */
function decimalValue(digit: string): number {
  const code = digit.codePointAt(0)!
  if (code < 128) return code - 48
  // The mathematical digits consist of five adjacent runs, which start at U+1D7CE.
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10
  let zero = code
  while (decimalDigit.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}
