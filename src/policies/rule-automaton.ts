import type { Atom } from "./atom.js"
import { isInside, matchesAtom } from "./atom.js"
import type { Automaton } from "./automaton.js"
import { violatedState } from "./automaton.js"
import type { Occurrence } from "./occurrence.js"
import type { Policy, Rule } from "./policy.js"

/**
 * The bits of the inputs (letters) of an automaton that checks a rule. An input is the sum of the
 * bits that apply to an occurrence, such as a tool call. For example, `end` applies to the end of a
 * run, and `restart` to the start of an invocation. The letter 0 means that the occurrence is
 * irrelevant to the rule.
 */
const letters = { rule: 1, condition: 2, end: 4, restart: 8, approved: 16 } as const

/** Returned by `nextState` instead of a state if the rule of the policy is violated. */
export const violatedStateNumber = -1

/**
 * The automaton of a rule about the order or number of occurrences, such as tool calls. Its states
 * are numbers from 0. For `atMost`, the state is the number of occurrences so far. For all other
 * patterns, the state is 1 while the condition of an earlier occurrence is in effect, and otherwise
 * 0.
 */
export interface RuleAutomaton {
  readonly pattern: "never" | "onlyAfter" | "after" | "whenever" | "atMost"
  /**
   * Maximum number of occurrences, such as tool calls, for the pattern `atMost`. 0 for all other
   * patterns.
   */
  readonly most: number
  /**
   * The number of the state in which everything that the policy rule requires has happened. null if
   * the rule does not require anything to happen.
   */
  readonly fulfilled: number | null
  /**
   * Returns the input symbol (letter) of the automaton for an occurrence, such as a tool call.
   * Returns 0 if the occurrence is irrelevant to the rule.
   */
  letterOf(occurrence: Occurrence): number
}

/**
 * Returns the next state of the automaton after an input symbol (letter). Returns {@link violatedStateNumber}
 * if the rule is violated.
 */
export function nextState({ pattern, most }: RuleAutomaton, state: number, letter: number): number {
  if ((letter & letters.restart) !== 0) return 0
  const isOfRule = (letter & letters.rule) !== 0
  const isCondition = (letter & letters.condition) !== 0
  switch (pattern) {
    case "never":
      return isOfRule ? violatedStateNumber : state
    case "onlyAfter":
      if (state === 1) return state
      if (isOfRule) return violatedStateNumber
      return isCondition ? 1 : state
    case "after":
      if (state === 1 && isOfRule) return violatedStateNumber
      return isCondition ? 1 : state
    case "whenever": {
      const answered = isCondition ? 0 : state
      const owed = isOfRule ? 1 : answered
      return owed === 1 && (letter & letters.end) !== 0 ? violatedStateNumber : owed
    }
    case "atMost":
      if (!isOfRule) return state
      return state >= most ? violatedStateNumber : state + 1
  }
}

/**
 * Returns an automaton that detects violations of a policy rule in a whole run. Returns null for
 * `notTogether`, `noFlow` and `budget`, which are checked in other ways.
 */
export function ruleAutomaton(rule: Rule): RuleAutomaton | null {
  switch (rule.pattern) {
    case "never":
      return automatonWith("never", letterOf(rule.of, []))
    case "onlyAfter": {
      const { of, first } = rule
      if (first !== "approval")
        return { ...automatonWith("onlyAfter", letterOf(of, first)), fulfilled: 1 }
      const isOf = oneOf(of)
      return automatonWith("onlyAfter", (occurrence) => {
        if (!isOf(occurrence)) return 0
        return occurrence.approved === true ? letters.approved : letters.rule
      })
    }
    case "after":
      return automatonWith("after", letterOf(rule.of, rule.after))
    case "whenever": {
      const { of, response, ends } = rule
      const own = letterOf(of, response)
      const isEnd = ({ kind, name }: Occurrence): boolean =>
        kind === "run" && ends.some((end) => end === name)
      const withEnds = (occurrence: Occurrence): number =>
        own(occurrence) | (isEnd(occurrence) ? letters.end : 0)
      return { ...automatonWith("whenever", withEnds), fulfilled: 0 }
    }
    case "atMost":
      return { ...automatonWith("atMost", letterOf(rule.of, [])), most: rule.most }
    case "notTogether":
    case "noFlow":
    case "budget":
      return null
  }
}

/**
 * Restricts `read` to occurrences, such as tool calls, inside the agents that a policy names in
 * `inside`. For all other occurrences, the returned function returns `otherwise`. The kinds `run`,
 * `dropped` (end of activities) and `message` (of the user) are always passed to `read`.
 */
export function onlyInside<Value>(
  { inside }: Pick<Policy, "inside">,
  read: (occurrence: Occurrence) => Value,
  otherwise: Value,
): (occurrence: Occurrence) => Value {
  if (inside === null) return read
  const always: readonly Occurrence["kind"][] = ["run", "dropped", "message"]
  return (occurrence) =>
    always.includes(occurrence.kind) || isInside(inside, occurrence) ? read(occurrence) : otherwise
}

/**
 * Returns the automaton of a policy that applies to the whole run or to each invocation. Returns
 * null for all other policies, because their automatons can be in several states at the same time.
 */
export function countingAutomaton(policy: Policy): RuleAutomaton | null {
  const { rule, per } = policy
  const inner = per.type === "run" || per.type === "invocation" ? ruleAutomaton(rule) : null
  if (inner === null) return null
  const own = onlyInside(policy, (occurrence) => inner.letterOf(occurrence), 0)
  if (per.type === "run") return { ...inner, letterOf: own }
  return {
    ...inner,
    letterOf: (occurrence) => (occurrence.kind === "message" ? letters.restart : own(occurrence)),
  }
}

/**
 * Converts an automaton with numbered states to the interface `Automaton`, whose states are
 * strings.
 */
export function withTextStates(automaton: RuleAutomaton): Automaton {
  const { fulfilled } = automaton
  return {
    start: "0",
    reads: (occurrence) => automaton.letterOf(occurrence) !== 0,
    next(state, occurrence) {
      if (state === violatedState) return [state]
      const next = nextState(automaton, Number(state), automaton.letterOf(occurrence))
      return [next === violatedStateNumber ? violatedState : String(next)]
    },
    fulfil: (state) => (fulfilled === null ? state : String(fulfilled)),
  }
}

const automatonWith = (
  pattern: RuleAutomaton["pattern"],
  read: RuleAutomaton["letterOf"],
): RuleAutomaton => ({ pattern, most: 0, fulfilled: null, letterOf: read })

function letterOf(
  of: readonly Atom[],
  condition: readonly Atom[],
): (occurrence: Occurrence) => number {
  const [isOf, isCondition] = [oneOf(of), oneOf(condition)]
  return (occurrence) =>
    (isOf(occurrence) ? letters.rule : 0) | (isCondition(occurrence) ? letters.condition : 0)
}

const oneOf =
  (atoms: readonly Atom[]) =>
  (occurrence: Occurrence): boolean =>
    atoms.some((atom) => matchesAtom(atom, occurrence))
