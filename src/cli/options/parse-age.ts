import { InvalidArgumentError } from "commander"

const units: ReadonlyMap<string | undefined, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
])

/**
 * Converts an age such as `30d`, `12h`, `90m` or `2w` to milliseconds. Throws an argument error if
 * the text has another format.
 */
export function parseAge(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const milliseconds = units.get(unit)
  if (count === undefined || milliseconds === undefined)
    throw new InvalidArgumentError(
      "The value must be a number with a unit: m (minutes), h (hours), d (days) or w (weeks), such as 30d.",
    )
  return Number(count) * milliseconds
}
