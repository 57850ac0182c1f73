import type { Atom } from "./atom.js"
import { matchesAtom } from "./atom.js"
import type { Automaton } from "./automaton.js"
import { violated } from "./automaton.js"
import type { Occurrence } from "./occurrence.js"
import type { Rule } from "./policy.js"

/**
 * Returns the automaton of a rule about the order or number of occurrences, without its scope. All
 * rules but `notTogether`, `noFlow` and `budget` have one.
 */
export function coreOf(rule: Rule): Automaton | null {
  switch (rule.pattern) {
    case "never": {
      const isOf = oneOf(rule.of)
      return automaton(isOf, (state, occurrence) => (isOf(occurrence) ? violated : state))
    }
    case "onlyAfter": {
      const isOf = oneOf(rule.of)
      if (rule.first === "approval")
        return automaton(isOf, (state, occurrence) =>
          isOf(occurrence) && occurrence.approved !== true ? violated : state,
        )
      const isFirst = oneOf(rule.first)
      return {
        ...automaton(
          (occurrence) => isOf(occurrence) || isFirst(occurrence),
          (state, occurrence) => {
            if (state === "allowed") return state
            if (isOf(occurrence)) return violated
            return isFirst(occurrence) ? "allowed" : state
          },
        ),
        fulfil: () => "allowed",
      }
    }
    case "after": {
      const [isOf, isAfter] = [oneOf(rule.of), oneOf(rule.after)]
      return automaton(
        (occurrence) => isOf(occurrence) || isAfter(occurrence),
        (state, occurrence) => {
          if (state === "after" && isOf(occurrence)) return violated
          return isAfter(occurrence) ? "after" : state
        },
      )
    }
    case "whenever": {
      const [isOf, isThen] = [oneOf(rule.of), oneOf(rule.response)]
      const isEnd = ({ kind, name }: Occurrence): boolean =>
        kind === "run" && rule.ends.some((end) => end === name)
      return {
        ...automaton(
          (occurrence) => isOf(occurrence) || isThen(occurrence) || isEnd(occurrence),
          (state, occurrence) => {
            const fulfilled = isThen(occurrence) ? "start" : state
            const owed = isOf(occurrence) ? "owed" : fulfilled
            return owed === "owed" && isEnd(occurrence) ? violated : owed
          },
        ),
        fulfil: () => "start",
      }
    }
    case "atMost": {
      const isOf = oneOf(rule.of)
      return automaton(isOf, (state, occurrence) => {
        if (!isOf(occurrence)) return state
        const count = state === "start" ? 1 : Number(state) + 1
        return count > rule.most ? violated : String(count)
      })
    }
    case "notTogether":
    case "noFlow":
    case "budget":
      return null
  }
}

const oneOf =
  (atoms: readonly Atom[]) =>
  (occurrence: Occurrence): boolean =>
    atoms.some((atom) => matchesAtom(atom, occurrence))

const automaton = (
  reads: (occurrence: Occurrence) => boolean,
  next: (state: string, occurrence: Occurrence) => string,
): Automaton => ({
  start: "start",
  reads,
  next: (state, occurrence) => (state === violated ? [violated] : [next(state, occurrence)]),
  fulfil: (state) => state,
})
