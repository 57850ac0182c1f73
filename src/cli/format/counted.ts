/** Returns a number with its noun, for example `1 run` or `2 runs`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`
