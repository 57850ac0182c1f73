import type { AdkDefinition } from "../contract/agent-definition.js"
import type { AgentTask } from "./finish-task.js"
import { taskText } from "./finish-task.js"
import type { CallFailure, Message } from "../contract/services.js"
import type { FilledInstruction, NodeValues } from "./instruction-template.js"
import { fillInstruction } from "./instruction-template.js"
import type { SessionState } from "../data/session-state.js"

/**
 * The instructions of a model call. `system` is the text of the system message, and `opening` is a
 * text that is inserted before the last user message. If a placeholder in the instructions has no
 * value, `failure` contains the error with which the call fails.
 */
export type Instructions =
  | { readonly ok: true; readonly system: string | null; readonly opening: string | null }
  | { readonly ok: false; readonly failure: CallFailure }

/** The data of an agent's turn from which the instructions of a model call are created. */
interface InstructionSource {
  readonly input: {
    readonly agent: string
    readonly nodeValues?: NodeValues
    readonly task?: AgentTask
  }
  readonly state: SessionState
  readonly hostInstruction: string | null
  readonly hostGlobalInstruction: string | null
  readonly definition: { readonly description: string | null; readonly handoffText: string | null }
}

/**
 * Returns the instructions of an agent in the adk dialect, with placeholders replaced
 * (docs/semantics.md#instructions). The system message contains the agent's name and description,
 * the global instruction of the root agent, and the agent's own instruction. If the agent has a
 * static instruction, it replaces the own instruction in the system message. The own instruction is
 * then inserted before the user's message.
 */
export function adkInstructions(
  {
    input,
    state,
    hostInstruction,
    hostGlobalInstruction,
    definition: { description, handoffText },
  }: InstructionSource,
  adk: AdkDefinition,
): Instructions {
  const filledGlobal = filled(adk.globalInstruction, state, input.nodeValues)
  if (!filledGlobal.ok) return { ok: false, failure: missingKey(input.agent, filledGlobal.missing) }
  const filledOwn = filled(adk.instruction, state, input.nodeValues)
  if (!filledOwn.ok) return { ok: false, failure: missingKey(input.agent, filledOwn.missing) }
  const own = hostInstruction ?? filledOwn.text
  const isStatic = adk.staticInstruction !== null
  const instructions = joinTexts(
    joinTexts(hostGlobalInstruction ?? filledGlobal.text, isStatic ? adk.staticInstruction : own),
    handoffText,
  )
  const withTask = input.task === undefined ? instructions : joinTexts(instructions, taskText)
  const system = joinTexts(identityText(input.agent, description), withTask)
  return { ok: true, system, opening: !isStatic || own === "" ? null : own }
}

/**
 * Returns the text that introduces the agent to its model, such as `You are the agent "desk".`
 * Placeholders in the description are not replaced.
 */
const identityText = (name: string, description: string | null): string =>
  description === null || description === ""
    ? `You are the agent "${name}".`
    : `You are the agent "${name}". Your description: ${description}`

const noInstruction = { ok: true, text: null } as const

const filled = (
  template: string | null,
  state: SessionState,
  nodeValues: NodeValues | undefined,
): FilledInstruction | typeof noInstruction =>
  template === null ? noInstruction : fillInstruction(template, state, nodeValues)

/**
 * Joins two texts with a blank line between them. Ignores texts that are null or empty, and returns
 * null if both are.
 */
export function joinTexts(one: string | null, other: string | null): string | null {
  if (one === null || one === "") return other === "" ? null : other
  return other === null || other === "" ? one : `${one}\n\n${other}`
}

export const missingKey = (agent: string, key: string): CallFailure => ({
  code: "instruction_failed",
  message: `the instruction of agent "${agent}" reads {${key}}, which is not in the state; write {${key}?} if the key may be missing`,
  retryable: false,
})

/**
 * Inserts the text `opening` as a user message before the user messages at the end of a
 * conversation. Returns the conversation unchanged if the text is null.
 */
export function withOpening(
  conversation: readonly Message[],
  opening: string | null,
): readonly Message[] {
  if (opening === null) return conversation
  let index = conversation.length
  while (index > 0 && conversation[index - 1]?.role === "user") index--
  return conversation.toSpliced(index, 0, { role: "user", content: opening })
}
