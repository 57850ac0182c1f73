import type { PluginConfig } from "../agent-config.js"
import { anything } from "../fields/data.js"
import type { Reader } from "../fields/field-table.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { filledText, list, objectOf, refuseType } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import type { Place } from "../place.js"
import { fieldOf, report } from "../place.js"
import { show } from "../show.js"
import { didYouMean } from "../suggest.js"
import { noteUnsupported } from "../unsupported.js"
import { callbackFields, hooksOf, pluralCallbacks } from "./callbacks.js"
import { serviceName } from "./service-names.js"

/** What is called at every LlmAgent of the workflow, before the agent's own callbacks. */
export const plugins: Reader<readonly PluginConfig[]> = (value, at) =>
  list(value, at)?.flatMap((entry, index) => plugin(entry, fieldOf(at, index)) ?? []) ?? null

const pluginTypes = ["Plugin", "SecurityPlugin"] as const

function plugin(entry: unknown, at: Place): PluginConfig | null {
  if (typeof entry === "string") return noteUnsupported(at, "plugins made by code")
  const object = objectOf(entry)
  if (object === null) return refuseType(entry, at, "a plugin", 'an object with "type" and "name"')
  const type = object["type"] ?? "Plugin"
  const own: Place = { ...at, field: "", owner: pluginOwner(type, object["name"], at) }
  if (type === "Plugin") return { hooks: hooksOf(readFields(object, callbackPlugin, own, [securityPlugin]).values), policy: null }
  if (type === "SecurityPlugin") return { hooks: {}, policy: readFields(object, securityPlugin, own, [callbackPlugin]).values.policyEngine }
  if (typeof type === "string" && type.includes(".")) return noteUnsupported(own, "plugins made by code")
  const meant = typeof type === "string" ? at.reading.suggest(type, pluginTypes) : null
  return report(fieldOf(own, "type"), {
    code: "bad_value",
    says: `is ${show(type)}, which is no type of plugin`,
    cure: `${didYouMean(meant)}Write "Plugin" for callbacks, or "SecurityPlugin" for a policy engine.`,
  })
}

function pluginOwner(type: unknown, name: unknown, { pointer }: Place): Place["owner"] {
  const kind = pluginTypes.find((known) => known === type) ?? "plugin"
  return { kind: "workflow", id: null, label: typeof name === "string" && name !== "" ? `the ${kind} ${show(name)}` : `the ${kind} at ${pointer}` }
}

const common = { type: optional(anything), name: optional(filledText) }

const callbackPlugin = fieldTable("a Plugin", { ...common, ...callbackFields }, { aliases: { ...pluralCallbacks, id: "name" }, strict: true })

const securityPlugin = fieldTable(
  "a SecurityPlugin",
  { ...common, policyEngine: required(serviceName, 'Name the service that decides, such as "policyEngine": "rules".') },
  { aliases: { id: "name" }, synonyms: { policy: "policyEngine", engine: "policyEngine" }, strict: true },
)
