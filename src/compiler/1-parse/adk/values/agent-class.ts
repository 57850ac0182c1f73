import { objectOf } from "../../fields/plain-values.js"

/** Accepted names of the config field that contains an agent's class. */
const classFields = ["agent_class", "agentClass", "type"] as const

/**
 * Returns the class of an agent as written in the config (`value`), and the config field that
 * contains the class (`field`). If the agent has no class, `value` is undefined.
 */
export function writtenClass(object: Readonly<Record<string, unknown>>): {
  readonly value: unknown
  readonly field: string
} {
  const field = classFields.find((name) => object[name] !== undefined && object[name] !== null)
  return { value: field === undefined ? undefined : object[field], field: field ?? "agent_class" }
}

/**
 * Returns the class name without the module path of ADK: `LlmAgent` for
 * `google.adk.agents.LlmAgent` and for `google.adk.agents.llm_agent.LlmAgent`. ADK's short name
 * `Agent` also becomes `LlmAgent`. Other names are unchanged.
 */
export function builtInClass(written: string): string {
  const name = /^google\.adk\.agents\.(?:\w+\.)?(\w+)$/.exec(written)?.[1] ?? written
  return name === "Agent" ? "LlmAgent" : name
}

/**
 * Returns the tool name without the module path of ADK, such as `exit_loop` for
 * `google.adk.tools.exit_loop_tool.exit_loop`. Other names are unchanged.
 */
export const builtInTool = (written: string): string =>
  /^google\.adk\.tools\.(?:\w+\.)*(\w+)$/.exec(written)?.[1] ?? written

/**
 * Returns `file` if a config entry refers to an agent in a file, or `code` if it refers to a
 * registered agent. Returns null if the entry is not a reference.
 */
export function refersElsewhere(entry: unknown): "file" | "code" | null {
  const object = objectOf(entry)
  if (object === null) return null
  if (object["config_path"] !== undefined || object["configPath"] !== undefined) return "file"
  return object["code"] === undefined ? null : "code"
}
