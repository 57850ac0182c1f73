import type { MachineAgentSpec } from "../containers/machine-agent-behavior.js"
import { functionFlow } from "./flow-functions.js"
import type { FlowRule } from "./flow-rule.js"
import type { FlowState, FlowStep } from "./flow-state.js"
import { anyKey, firstOf, flowStep, sameState, union, withHistory, withKey } from "./flow-state.js"
import type { Inflow, Outflow } from "./flow-turn.js"
import { earlyState } from "./outflow.js"

/**
 * Propagates tainted data (data from a source of the policy) through a MachineAgent, whose XState
 * machine comes from the user. The machine can run its agents in any order and pass on all data
 * that it has received. Because this is uncertain, data is propagated only if undeclared functions
 * are assumed to pass on all data (`isPessimistic`).
 */
export function machineFlow(
  agent: string,
  { service, agents, outputKey }: MachineAgentSpec,
  before: FlowState,
  given: Inflow,
  rule: FlowRule,
  runAgent: (agent: string, src: string, state: FlowState, input: Inflow) => Outflow,
): Outflow {
  rule.machines.add(agent)
  if (!rule.isPessimistic) return { state: before, text: null }
  const isAnswer = rule.isSource("answer", agent)
  const prompt = given.input === null ? before.prompt : given.input.step
  let seen = firstOf(
    prompt,
    given.seesHistory ? before.history : null,
    isAnswer ? flowStep("answer", agent, agent, null) : null,
  )
  let state = before
  const passedOn = (step: FlowStep | null): FlowStep | null =>
    step === null
      ? null
      : flowStep("function", service, agent, step, { of: "machine", name: agent })
  for (let isStable = false; !isStable;) {
    const [seenBefore, stateBefore] = [seen, state]
    const flow = functionFlow(service, agent, firstOf(seen, anyKey(state)), state, rule)
    state = flow.state
    seen = firstOf(seen, flow.result, anyKey(state))
    for (const { agent: name, src } of agents) {
      const input = { step: firstOf(prompt, passedOn(seen)) }
      const left = runAgent(name, src, state, { input, seesHistory: given.seesHistory })
      state = union(state, earlyState(left))
      seen = firstOf(seen, left.text)
    }
    isStable = (seenBefore === null) === (seen === null) && sameState(stateBefore, state)
  }
  const text = passedOn(seen)
  if (outputKey !== undefined) {
    rule.reach("key", outputKey, text)
    state = withKey(state, outputKey, text)
  }
  return { state: withHistory(state, text), text }
}
