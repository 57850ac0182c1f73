/** Returns the mean of the numbers. Ignores null values. Returns null if there are no numbers. */
export function meanOf(values: Iterable<number | null>): number | null {
  let [sum, count] = [0, 0]
  for (const value of values)
    if (value !== null) {
      sum += value
      count++
    }
  return count === 0 ? null : sum / count
}
