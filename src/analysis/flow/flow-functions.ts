import { permissionsOf } from "../../policies/permissions-of.js"
import type { FlowRule } from "./flow-rule.js"
import type { FlowState, FlowStep } from "./flow-state.js"
import { anyKey, firstOf, flowStep, withKey } from "./flow-state.js"

/**
 * The tainted data that a host function passes on. Tainted data comes from a source that the
 * `noFlow` policy names. `result` is the data in the return value, and `state` is the data in the
 * session state after the call.
 */
export interface FunctionFlow {
  readonly result: FlowStep | null
  readonly state: FlowState
}

/**
 * Propagates tainted data (data from a source of the policy) through a call of a host function. A
 * declared function reads only its declared keys. Its arguments and these keys can flow into its
 * result and into the keys that it writes.
 */
export function functionFlow(
  service: string,
  agent: string,
  given: FlowStep | null,
  state: FlowState,
  rule: FlowRule,
): FunctionFlow {
  const declared = permissionsOf(rule.set, service)
  if (declared === null) {
    if (!rule.isPessimistic) return { result: null, state }
    const source = unreadSource(service, agent, rule)
    const seen = firstOf(given, anyKey(state), source)
    if (seen === null) return { result: null, state }
    const step = flowStep("function", service, agent, seen, { of: "function", name: service })
    let next = state
    for (const key of rule.sinkKeys) {
      rule.reach("key", key, step)
      next = withKey(next, key, step)
    }
    return { result: step, state: next }
  }
  const read = declared.mayRead.map((key) => state.keys.get(key)).find((step) => step !== undefined)
  const seen = declared.passes ? firstOf(given, read) : null
  const result = seen === null ? null : flowStep("function", service, agent, seen)
  let next = state
  for (const key of declared.mayWrite) {
    rule.reach("key", key, result)
    next = withKey(next, key, result)
  }
  return { result, state: next }
}

/**
 * Returns a source key of the policy, as the first step of a data path. An undeclared function may
 * read this key from the session state, even if nothing else in the chart uses the key. Returns
 * null if the policy names no source key.
 */
function unreadSource(service: string, agent: string, rule: FlowRule): FlowStep | null {
  const key = rule.sourceKeys[0]
  return key === undefined
    ? null
    : flowStep("key", key, agent, null, { of: "function", name: service })
}
