import type { AnswerChoice } from "../../machines/contract/pending-request.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { describe } from "../description/program-builder.js"
import type { AgentProgramBuilder, BaseAgentConfig } from "./base-agent.js"
import { describeAgent } from "./base-agent.js"
import { ChartedAgent } from "./charted-agent.js"

/** The options of a {@link HumanAgent} (docs/config.md#humanagent). */
export interface HumanAgentConfig extends Pick<BaseAgentConfig, "name" | "description"> {
  /** The question: a template with `{key}`. Default: the description. */
  readonly prompt?: string
  /** The allowed answers. Default: every answer is allowed. */
  readonly choices?: readonly AnswerChoice[]
  /** State keys whose values are shown to the person, next to the question. */
  readonly show?: readonly string[]
  /** The state key under which the answer is saved. */
  readonly outputKey?: string
  /** Time until the question expires, for example `2h`. Default: it never expires. */
  readonly expiresIn?: string
  /** What happens if the question expires. Default: the run fails. */
  readonly onExpiry?: "reject" | "fail" | "continue"
}

const fields = [
  "prompt",
  "choices",
  "show",
  "outputKey",
  "expiresIn",
  "onExpiry",
] as const satisfies readonly (keyof HumanAgentConfig)[]

/**
 * Asks a person a question and saves the answer. ADK does not have this class.
 *
 * @example
 * const editor = new HumanAgent({
 *   name: "editor",
 *   prompt: "Publish {title}?",
 *   choices: ["publish", "reject"],
 *   outputKey: "decision",
 * })
 */
export class HumanAgent extends ChartedAgent {
  readonly #options: HumanAgentConfig

  constructor(config: HumanAgentConfig) {
    super(config, fields)
    this.#options = config
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    const given = fields.flatMap((field) => {
      const value = this.#options[field]
      return value === undefined ? [] : [[field, value] as const]
    })
    return {
      agentClass: "HumanAgent",
      ...describeAgent(this, program),
      ...this.otherOptions,
      ...Object.fromEntries(given),
    }
  }
}
