/**
 * Maximum number of combinations of tool calls in one model response. When it is reached, no
 * combinations with more calls are added. Only policies that count calls of many tools reach it.
 */
const maxChoices = 5_000

/**
 * Returns all combinations of up to `most` tool calls, as lists of tool indexes. A tool can occur
 * several times. If `countsOnly` is true, the order of the calls is ignored.
 */
export function callChoices(
  tools: number,
  most: number,
  countsOnly: boolean,
): readonly (readonly number[])[] {
  const choices: (readonly number[])[] = [[]]
  let longest: readonly (readonly number[])[] = [[]]
  for (let length = 1; length <= most && choices.length < maxChoices; length++) {
    longest = longest.flatMap((choice) => {
      const first = countsOnly ? (choice.at(-1) ?? 0) : 0
      return Array.from({ length: tools - first }, (_, tool) => [...choice, first + tool])
    })
    choices.push(...longest)
  }
  return choices
}
