import { Option } from "commander"

/**
 * Returns an option that can be passed several times. Its value is the list of all arguments;
 * undefined if there is none.
 */
export const repeatableOption = (flags: string, description: string): Option =>
  new Option(flags, `${description} (repeatable)`).argParser(
    (one: string, others: readonly string[] = []) => [...others, one],
  )
