import type { AdkDefinition } from "./agent-chart.js"
import type { CallFailure, Message } from "./contract.js"
import { fillInstruction } from "./instruction-template.js"
import type { LlmAgentContext } from "./llm-agent-context.js"

/** What stands around the conversation of a call: the system text, and what the user's turn is opened with. */
export type Instructions =
  | { readonly ok: true; readonly system: string | null; readonly opening: string | null }
  | { readonly ok: false; readonly failure: CallFailure }

/**
 * The instructions of an agent of the adk dialect, filled from the state as it is at the call (SPEC sections 5 and 8): the
 * root's global instruction first; a static instruction is sent word by word and moves the agent's own into the user's turn.
 */
export function adkInstructions({ input, definition, state, givenInstruction, givenGlobalInstruction }: LlmAgentContext, adk: AdkDefinition): Instructions {
  const { agent } = input
  const { handoffText } = definition
  const texts: (string | null)[] = []
  for (const template of [adk.globalInstruction, adk.instruction]) {
    const text = template === null ? null : fillInstruction(template, state)
    if (text !== null && !text.ok) return { ok: false, failure: missingKey(agent, text.missing) }
    texts.push(text === null ? null : text.text)
  }
  const [filledGlobal = null, filled = null] = texts
  const global = givenGlobalInstruction ?? filledGlobal
  const own = givenInstruction ?? filled
  const system = adk.staticInstruction === null ? [global, own, handoffText] : [global, adk.staticInstruction, handoffText]
  const given = system.filter((text) => text !== null && text !== "")
  return {
    ok: true,
    system: given.length === 0 ? null : given.join("\n\n"),
    opening: adk.staticInstruction === null || own === "" ? null : own,
  }
}

const missingKey = (agent: string, key: string): CallFailure => ({
  code: "instruction_failed",
  message: `the instruction of agent "${agent}" needs {${key}}, which the state does not have; write {${key}?} if it may be missing`,
  retryable: false,
})

/** Puts an opening before the words that the user spoke last. */
export function withOpening(conversation: readonly Message[], opening: string | null): readonly Message[] {
  if (opening === null) return conversation
  let at = conversation.length
  while (at > 0 && conversation[at - 1]?.role === "user") at--
  return conversation.toSpliced(at, 0, { role: "user", content: opening })
}
