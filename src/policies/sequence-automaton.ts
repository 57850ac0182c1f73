import type { Atom } from "./atom.js"
import { matchesAtom } from "./atom.js"
import type { Automaton } from "./automaton.js"
import { violatedState } from "./automaton.js"

/**
 * Returns an automaton that detects whether all atoms occur in the order of the list. An atom
 * describes occurrences, such as all calls of a tool. Other occurrences can happen between them.
 * The state is the number of atoms that have already occurred.
 */
export const sequenceAutomaton = (atoms: readonly Atom[]): Automaton => ({
  start: "0",
  reads: (occurrence) => atoms.some((atom) => matchesAtom(atom, occurrence)),
  fulfil: (state) => state,
  next(state, occurrence) {
    const count = Number(state)
    const next = atoms[count]
    if (next === undefined || !matchesAtom(next, occurrence)) return [state]
    return [count + 1 === atoms.length ? violatedState : String(count + 1)]
  },
})
