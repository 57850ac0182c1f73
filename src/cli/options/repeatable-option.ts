import { Option } from "commander"

/**
 * Creates a command-line option that can be passed several times. Its value is an array of all
 * arguments, or undefined if the option is not passed.
 */
export const repeatableOption = (flags: string, description: string): Option =>
  new Option(flags, `${description} (repeatable)`).argParser(
    (one: string, others: readonly string[] = []) => [...others, one],
  )
