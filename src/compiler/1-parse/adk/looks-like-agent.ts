import { writtenClass } from "./values/agent-class.js"
import { agentFieldNames } from "./agent-types.js"

/**
 * Returns whether an object is meant to be an agent: it has an agent class or a field that only
 * agents have. A name and a description alone are not sufficient, because many other objects have
 * them too.
 */
export function looksLikeAgent(object: Readonly<Record<string, unknown>>): boolean {
  const { value, field } = writtenClass(object)
  if (field !== "type" && value !== undefined) return true
  if (typeof value === "string" && /agent|node|workflow|\./i.test(value)) return true
  const others = Object.keys(object).filter((key) => !commonFields.includes(key))
  return others.length === 0
    ? ["name", "id"].some((key) => object[key] !== undefined)
    : others.some((key) => agentFieldNames.has(key))
}

const commonFields = ["name", "id", "description", "type", "when"]
