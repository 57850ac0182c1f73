import type { Message } from "../../machines/contract/services.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import { applyActions } from "../context/apply-actions.js"
import { Context } from "../context/context.js"
import type { InputGuardrailConfig, OutputGuardrailConfig } from "../common/setting-fields.js"
import type { ProgramBuilder } from "../description/program-builder.js"
import type { AgentModel } from "./llm-agent-config.js"

/**
 * The argument of a guardrail function: the text to check, and the conversation before this text.
 */
export interface GuardrailCall {
  readonly context: Context
  readonly on: "input" | "output"
  readonly text: string
  /** The messages of the agent's conversation that precede the checked text. */
  readonly messages: readonly Message[]
}

/**
 * The result of a guardrail function. `tripped` is true if the text is not acceptable, and `reason`
 * explains why.
 */
export interface GuardrailVerdict {
  readonly tripped: boolean
  readonly reason?: string
  /** Text that replaces the checked text if the guardrail trips and has `onTrip: "replace"`. */
  readonly replacement?: string
}

/**
 * A function that checks the input or the output of an agent. If the function throws, the agent
 * fails.
 */
export type GuardrailFunction = (
  call: GuardrailCall,
) => GuardrailVerdict | Promise<GuardrailVerdict>

/**
 * The implementation of a guardrail: either the function `check`, or a model that follows the
 * guardrail's `instructions`.
 */
interface GuardrailCheck {
  readonly check?: GuardrailFunction
  /** The model that follows the guardrail's `instructions`. Default: the model of the agent. */
  readonly model?: AgentModel
}

/** A guardrail that checks the input of an agent. */
export interface InputGuardrail
  extends Omit<InputGuardrailConfig, "service" | "model">, GuardrailCheck {}

/** A guardrail that checks the final texts of an agent. */
export interface OutputGuardrail
  extends Omit<OutputGuardrailConfig, "service" | "model">, GuardrailCheck {}

/** The guardrails of an LlmAgent. Each entry is a function, or an object with further settings. */
export interface AgentGuardrails {
  readonly input?: readonly (GuardrailFunction | InputGuardrail)[]
  readonly output?: readonly (GuardrailFunction | OutputGuardrail)[]
  /**
   * Whether the text of a response is streamed before the guardrails have checked it. `send`
   * streams the text at once, and `hold` does not stream the text. Default: `hold` if there are
   * output guardrails, otherwise `send`.
   */
  readonly stream?: "hold" | "send"
}

/**
 * Returns the config of an agent's guardrails and registers their functions. `modelName` registers
 * a model under a name and returns the name.
 */
export function guardrailConfig(
  program: Pick<ProgramBuilder, "service">,
  owner: string,
  { input, output, stream }: AgentGuardrails,
  modelName: (name: string, model: AgentModel) => string,
): JsonObject {
  const entries = (
    kind: "input" | "output",
    list: readonly (GuardrailFunction | InputGuardrail | OutputGuardrail)[],
  ): readonly JsonObject[] =>
    list.map((entry, index) => {
      const path = `${owner}.guardrails.${kind}.${index}`
      const { check, model, ...fields } = typeof entry === "function" ? { check: entry } : entry
      const { name = check?.name } = fields as { readonly name?: string }
      return {
        ...fields,
        ...(name !== undefined && name !== "" && { name }),
        ...(check !== undefined && { service: program.service(path, hostFunctionOf(check)) }),
        ...(model !== undefined && { model: modelName(path, model) }),
      }
    })
  return {
    ...(input !== undefined && { input: entries("input", input) }),
    ...(output !== undefined && { output: entries("output", output) }),
    ...(stream !== undefined && { stream }),
  }
}

const hostFunctionOf =
  (check: GuardrailFunction): HostFunction =>
  async (host, input) => {
    const context = new Context(host)
    // The machine `guardrail` creates the input (`machines/guardrails/guardrail.ts`).
    const { on, text, messages } = input as Omit<GuardrailCall, "context">
    const verdict = await check({ context, on, text, messages })
    applyActions(context.actions, host)
    return verdict
  }
