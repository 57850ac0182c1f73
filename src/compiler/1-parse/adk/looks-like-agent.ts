import { writtenClass } from "./values/agent-class.js"
import { agentFieldNames } from "./agent-types.js"

/**
 * Whether an object is meant as an agent: it says so by its class, or it has a field of an agent's own. A name and a description
 * have many things.
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
