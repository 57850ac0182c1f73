import { objectOf } from "../../fields/plain-values.js"

/** Every spelling of the field that names an agent's class. */
const classFields = ["agent_class", "agentClass", "type"] as const

/** The class as it is written, and the field that it is written in; `undefined` is none. */
export function writtenClass(object: Readonly<Record<string, unknown>>): {
  readonly value: unknown
  readonly field: string
} {
  const field = classFields.find((name) => object[name] !== undefined && object[name] !== null)
  return { value: field === undefined ? undefined : object[field], field: field ?? "agent_class" }
}

/** `LlmAgent` for `google.adk.agents.LlmAgent`, `google.adk.agents.llm_agent.LlmAgent` and for ADK's short name, `Agent`. */
export function builtInClass(written: string): string {
  const name = /^google\.adk\.agents\.(?:\w+\.)?(\w+)$/.exec(written)?.[1] ?? written
  return name === "Agent" ? "LlmAgent" : name
}

/** `exit_loop` for `google.adk.tools.exit_loop_tool.exit_loop`. */
export const builtInTool = (written: string): string =>
  /^google\.adk\.tools\.(?:\w+\.)*(\w+)$/.exec(written)?.[1] ?? written

/** An entry that refers to a file or to code instead of being an agent. */
export function refersElsewhere(entry: unknown): "file" | "code" | null {
  const object = objectOf(entry)
  if (object === null) return null
  if (object["config_path"] !== undefined || object["configPath"] !== undefined) return "file"
  return object["code"] === undefined ? null : "code"
}
