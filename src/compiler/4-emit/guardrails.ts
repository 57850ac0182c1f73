import type { AgentDefinition } from "../../machines/contract/agent-definition.js"
import type { Guardrail, Guardrails } from "../../machines/contract/guardrails/guardrails.js"
import { checkerOf } from "../../machines/contract/guardrails/guardrails.js"
import { withoutNulls } from "../../machines/data/without-nulls.js"
import type { ParsedGuardrail } from "../1-parse/config/parsed-guardrails.js"
import type { LlmAgentNode } from "../2-resolve/agent-node.js"
import { helperAgent } from "./helper-agent.js"

/**
 * Converts the guardrails of an agent to the form that is stored in charts. Returns null if the
 * agent has no guardrails.
 */
export function guardrailsOf({ id, guardrails }: LlmAgentNode): Guardrails | null {
  if (guardrails === null) return null
  const { input, output, holdsText } = guardrails
  const all = (list: readonly ParsedGuardrail[]): readonly Guardrail[] =>
    list.map((guardrail) => guardrailOf(id, guardrail))
  return {
    before: all(input.filter(({ mode }) => mode === "before")),
    beside: all(input.filter(({ mode }) => mode === "beside")),
    output: all(output),
    ...(holdsText && { holdsText }),
  }
}

function guardrailOf(agent: string, guardrail: ParsedGuardrail): Guardrail {
  const { name, service, onTrip, answer, maxRepairs } = guardrail
  const checker = service === null ? checkerOf(agent, name) : null
  return {
    name,
    ...withoutNulls({ service, checker }),
    onTrip,
    ...(onTrip === "answer" && withoutNulls({ answer })),
    ...(onTrip === "repair" && { maxRepairs: maxRepairs ?? 1 }),
  }
}

/**
 * Returns the helper agents that check the texts of an agent with a model, as pairs of id and
 * definition. By default, a helper calls the model or endpoint of the agent. It has the timeouts
 * and retries of the agent.
 */
export function checkerDefinitions(
  agent: LlmAgentNode,
): readonly (readonly [id: string, definition: AgentDefinition])[] {
  const { input = [], output = [] } = agent.guardrails ?? {}
  return [...input, ...output].flatMap(({ name, service, model, instructions }) => {
    if (service !== null) return []
    const definition = helperAgent(agent, { model, instructions, checks: agent.id })
    return [[checkerOf(agent.id, name), definition] as const]
  })
}
