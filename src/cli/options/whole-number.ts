import { InvalidArgumentError } from "commander"

/** Parses a whole number, 1 or greater. Throws an argument error for any other text. */
export function parseWholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError("The value must be a whole number, 1 or greater.")
  return Number(text)
}

/**
 * Returns a parser of whole numbers from `least` to `most`. The parser throws an argument error for
 * any other text.
 */
export function wholeNumberBetween(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^(0|[1-9]\d{0,14})$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`The value must be a whole number from ${least} to ${most}.`)
    return number
  }
}
