import type { AlwaysTrue } from "../../expression/check/always-true.js"
import { keyScopeOf } from "../../machines/data/key-scope.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import type { ConditionUse } from "../1-parse/context/parser-context.js"
import { report } from "../diagnostics/config-location.js"
import { describeValue } from "../diagnostics/show.js"
import { didYouMean } from "../../machines/data/suggest.js"
import type { WorkflowTree } from "../2-resolve/agent-node.js"
import type { WrittenKey } from "./key-writers.js"
import { mergeRuleOf } from "./node-facts.js"

type Written = ReadonlyMap<string, WrittenKey>

/**
 * Reports warnings for conditions that are always true, read no state, read a key that is never
 * written, or compare a text with a number. `written` contains the written keys, or null if they
 * are unknown.
 */
export function warnOfConditions(
  uses: readonly ConditionUse[],
  written: Written | null,
  workflow: WorkflowTree,
): void {
  const { state } = workflow.input
  const known = [...(written?.keys() ?? []), ...Object.keys(state)]
  for (const use of uses) {
    const { constant, reads, numericComparisons, alwaysTrue } = use.condition
    if (use.returnsItems === true) {
      // A list of items may be constant, and its truth value has no effect.
    } else if (constant) reportConstant(use)
    else for (const part of alwaysTrue) reportAlwaysTrue(use, part)
    if (written === null) continue
    for (const key of reads)
      if (!isWritten(key, written, state)) reportNeverWritten(use, key, known)
    for (const key of numericComparisons)
      if (holdsOnlyText(key, written, workflow)) reportText(use, key)
  }
}

/**
 * Returns whether a state key may have a value when it is read. Keys of the scopes `user` and `app`
 * may always have a value from an earlier session.
 */
const isWritten = (key: string, written: Written, state: object): boolean =>
  written.has(key) ||
  Object.hasOwn(state, key) ||
  systemKeys.has(key) ||
  ["user", "app"].includes(keyScopeOf(key))

function holdsOnlyText(key: string, written: Written, { input, settings }: WorkflowTree): boolean {
  const writers = written.get(key)
  const isInitial = Object.hasOwn(input.state, key)
  if (writers === undefined || writers.other || mergeRuleOf(key, settings) !== "replace")
    return false
  return !isInitial || typeof input.state[key] === "string"
}

function reportConstant({ location }: ConditionUse): void {
  report(location, {
    code: "constant_condition",
    severity: "warning",
    problem: "is constant: it does not read the session state, so its result never changes",
    fix: "Read a key of the state, such as session_state.get('key'), or remove the condition.",
  })
}

function reportAlwaysTrue({ location }: ConditionUse, { problem, fix, column }: AlwaysTrue): void {
  report(location, {
    code: "always_true_condition",
    severity: "warning",
    problem: `${problem} (column ${column})`,
    fix,
  })
}

function reportNeverWritten(
  { location }: ConditionUse,
  key: string,
  known: readonly string[],
): void {
  report(location, {
    code: "key_never_written",
    severity: "warning",
    problem: `reads the key ${describeValue(key)}, which is never written: it is not an outputKey and not in the initial state`,
    fix: `${didYouMean(location.parser.suggest(key, known))}Use an existing key, set this key as the outputKey of an agent, or add the key to the initial state.`,
  })
}

function reportText({ location }: ConditionUse, key: string): void {
  report(location, {
    code: "number_against_text",
    severity: "warning",
    problem: `compares the key ${describeValue(key)} with a number, but the key only ever contains text: the comparison throws a TypeError or is never equal`,
    fix: `Convert the value to a number, for example float(session_state[${describeValue(key)}]).`,
  })
}
