import { AgentStatechartsError } from "../../errors.js"
import { artifactEntries } from "../../machines/contract/artifacts.js"
import { isList } from "../../machines/data/json-object.js"
import { stateFrom } from "../../machines/data/session-state.js"
import { fillInstruction } from "../../machines/model-call/instruction-template.js"
import { missingKey } from "../../machines/model-call/instructions.js"
import type { InstructionProvider } from "../agents/llm-agent-config.js"
import type { LlmRequest } from "../callbacks/llm-request.js"
import type { Context } from "../context/context.js"
import { artifactValue } from "../context/artifact-value.js"
import { BasePlugin } from "./base-plugin.js"

/**
 * A plugin that adds an instruction before the instructions of all agents. The instruction is a
 * template with the same placeholders as an agent's `instruction`, or a function that returns the
 * text.
 */
export class GlobalInstructionPlugin extends BasePlugin {
  readonly #instruction: string | InstructionProvider

  constructor(globalInstruction: string | InstructionProvider = "", name = "global_instruction") {
    super(name)
    this.#instruction = globalInstruction
  }

  override async beforeModelCallback({
    callbackContext,
    llmRequest,
  }: {
    readonly callbackContext: Context
    readonly llmRequest: LlmRequest
  }): Promise<undefined> {
    const text =
      typeof this.#instruction === "string"
        ? await filled(this.#instruction, callbackContext)
        : await this.#instruction(callbackContext)
    if (text === "") return
    const { config = {} } = llmRequest
    const own = config.systemInstruction
    const isMissing = own === undefined || own === "" || (Array.isArray(own) && own.length === 0)
    llmRequest.config = {
      ...config,
      systemInstruction: isMissing
        ? text
        : typeof own === "string"
          ? `${text}\n\n${own}`
          : [text, ...(isList(own) ? own : [own])],
    }
  }
}

/**
 * Replaces the placeholders of an instruction template, such as `{city}`, with values of the state
 * and with artifacts.
 *
 * @throws AgentStatechartsError `instruction_failed` if a key is not in the state.
 */
async function filled(template: string, context: Context): Promise<string> {
  const names = (await context.listArtifacts()).filter((name) =>
    template.includes(`artifact.${name}`),
  )
  const loaded = await Promise.all(names.map((name) => context.loadArtifact(name)))
  const artifacts = Object.fromEntries(
    names.flatMap((name, index) => {
      const value = artifactValue(loaded[index])
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
  const result = fillInstruction(
    template,
    stateFrom({ ...context.state.toRecord(), ...artifactEntries(artifacts) }),
  )
  if (result.ok) return result.text
  const { code, message } = missingKey(context.agentName, result.missing)
  throw new AgentStatechartsError(code, message)
}
