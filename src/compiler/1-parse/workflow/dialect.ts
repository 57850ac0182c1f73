import type { Dialect } from "../../agent-types/dialects.js"
import { dialects } from "../../agent-types/dialects.js"
import type { FoundConfig } from "./find-config.js"
import { objectOf } from "../fields/plain-values.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"

const isDialect = (value: unknown): value is Dialect =>
  dialects.some((dialect) => dialect === value)

/**
 * Returns the dialect of a config (docs/semantics.md#dialects). `wanted` is the compile option,
 * which takes precedence over the config's field `dialect`. If neither is set, the form of the
 * config determines the dialect. Reports an error if the field contains another value.
 */
export function dialectOf({ config, location }: FoundConfig, wanted: Dialect | null): Dialect {
  const own = config["dialect"]
  if (own !== undefined && own !== null && !isDialect(own)) {
    const suggestion = typeof own === "string" ? location.parser.suggest(own, dialects) : null
    report(fieldOf(location, "dialect"), {
      code: "bad_value",
      problem: `is ${describeValue(own)}, which is not a dialect`,
      fix: `${didYouMean(suggestion)}Write "graph-compose" or "adk", or remove the field.`,
    })
  }
  return wanted ?? impliedDialect(config)
}

/**
 * Returns the dialect in the config's field `dialect`. If the field is missing or invalid, returns
 * the dialect that the form of the config implies.
 */
export function impliedDialect(config: Readonly<Record<string, unknown>>): Dialect {
  const own = config["dialect"]
  return isDialect(own) ? own : looksLikeAdk(config) ? "adk" : "graph-compose"
}

function looksLikeAdk(config: Readonly<Record<string, unknown>>): boolean {
  const hasField = (field: string) => config[field] !== undefined
  if (hasField("agent_class") || hasField("agentClass")) return true
  if (!hasField("agents")) {
    if (hasField("rootAgentId") || hasField("root_agent_id")) return false
    return hasField("sub_agents") || hasField("subAgents") || (hasField("name") && !hasField("id"))
  }
  const agents = (Array.isArray(config["agents"]) ? config["agents"] : [])
    .map(objectOf)
    .filter((agent) => agent !== null)
  if (
    agents.some((agent) => agent["agent_class"] !== undefined || agent["agentClass"] !== undefined)
  )
    return true
  return (
    agents.some((agent) => typeof agent["name"] === "string") &&
    agents.every((agent) => agent["id"] === undefined)
  )
}
