import { type PatternProgram, readPattern } from "./read-pattern.js"

/**
 * A callback that limits the work of a pattern search. The search passes the number of its next
 * steps, before it executes them. The callback throws if the search exceeds its budget.
 */
export type Spend = (steps: number) => void

/**
 * Returns a function that tests whether a text has a match for a pattern. The function reports its
 * steps to the callback `spend`. The time of a test is linear in the length of the text, because
 * all alternatives are followed in parallel instead of backtracking. Returns null for patterns with
 * backreferences or lookbehind, because they are not supported.
 */
export function linearPattern(source: string): ((text: string, spend: Spend) => boolean) | null {
  const program = readPattern(source)
  if (program === null) return null
  return (text, spend) => {
    const characters = [...text]
    spend(characters.length)
    return search(program, characters, 0, false, spend)
  }
}

/**
 * Returns whether the compiled pattern matches the text at the index `from`. If `anchored` is
 * false, a match that starts at a later index also counts.
 */
function search(
  program: PatternProgram,
  text: readonly string[],
  from: number,
  anchored: boolean,
  spend: Spend,
): boolean {
  let states: number[] = []
  for (let offset = from; offset <= text.length; offset++) {
    const seen = new Set<number>()
    const open: number[] = []
    const start = offset === from || !anchored ? [...states, 0] : states
    for (const state of start) open.push(state)
    states = []
    while (open.length > 0) {
      const state = open.pop() ?? 0
      if (seen.has(state)) continue
      seen.add(state)
      spend(1)
      const node = program[state]
      if (node === undefined || node.type === "match") return true
      if (node.type === "split") for (const step of node.next) open.push(state + step)
      else if (node.type === "character") states.push(state)
      else if (node.type === "look") {
        if (search(node.program, text, offset, true, spend) === node.holds) open.push(state + 1)
      } else if (node.holds(text[offset - 1], text[offset])) open.push(state + 1)
    }
    if (offset === text.length) return false
    const character = text[offset] ?? ""
    spend(states.length)
    states = states.flatMap((state) => {
      const node = program[state]
      return node?.type === "character" && node.is.test(character) ? [state + 1] : []
    })
    if (anchored && states.length === 0) return false
  }
  return false
}
