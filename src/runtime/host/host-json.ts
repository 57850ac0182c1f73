import { AgentStatechartsError } from "../../errors.js"

/**
 * Returns a JSON copy of a value that a host function passes to its run, such as its result.
 * `undefined` becomes null. `name` describes the value in the error message.
 *
 * @throws AgentStatechartsError `host_code_failed` if the value is not JSON
 */
export function toJson(value: unknown, name: string): unknown {
  if (value === undefined) return null
  try {
    return JSON.parse(JSON.stringify(value))
  } catch (cause) {
    throw new AgentStatechartsError("host_code_failed", `${name} must be JSON`, { cause })
  }
}

/** Returns a deep copy of a JSON value. */
export const copyJson = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.parse(JSON.stringify(value)) : value
