import { InvalidArgumentError } from "commander"

/** Parses a whole number, 1 or greater. Throws an argument error for any other text. */
export function parseWholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError("The value must be a whole number, 1 or greater.")
  return Number(text)
}
