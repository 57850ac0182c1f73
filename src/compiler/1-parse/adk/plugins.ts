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
import { useService } from "../services/service-uses.js"

/** What is called at every LlmAgent of the workflow, before the agent's own callbacks. */
export const plugins: Reader<readonly PluginConfig[]> = (value, at) =>
  list(value, at)?.flatMap((entry, index) => plugin(entry, fieldOf(at, index)) ?? []) ?? null

const pluginTypes = ["Plugin", "SecurityPlugin"] as const

function plugin(entry: unknown, at: Place): PluginConfig | null {
  const object = objectOf(entry)
  const name = typeof entry === "string" ? entry : object !== null && Object.keys(object).every((key) => key === "name") ? object["name"] : null
  if (typeof name === "string") return registeredPlugin(name, at)
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

/** The runner's own plugins are declared with what they consist of. One of which nothing is known would be left out: a run is refused. */
function registeredPlugin(name: string, at: Place): PluginConfig | null {
  useService(name, "plugin", at)
  const known = at.reading.services.find(name, "plugin")
  if (known?.plugin !== undefined) return plugin({ ...known.plugin, name: known.plugin["name"] ?? name, type: known.plugin["type"] ?? "Plugin" }, at)
  at.reading.unresolved.push({ name, kind: "plugin", at })
  if (known !== null || !at.reading.services.areTold) {
    report(at, {
      code: "missing_service",
      severity: "warning",
      says: `needs the plugin ${show(name)}, of which the compiler is not told what it consists of`,
      cure: `Add { name: ${JSON.stringify(name)}, kind: "plugin", plugin: { type: "SecurityPlugin", policyEngine: "..." } } or its callbacks to the compile option "services".`,
    })
  }
  return null
}

function pluginOwner(type: unknown, name: unknown, { pointer }: Place): Place["owner"] {
  const kind = pluginTypes.find((known) => known === type) ?? "plugin"
  return { kind: "workflow", id: null, label: typeof name === "string" && name !== "" ? `the ${kind} ${show(name)}` : `the ${kind} at ${pointer}` }
}

const common = { type: optional(anything), name: optional(filledText) }

const callbackPlugin = fieldTable("a Plugin", { ...common, ...callbackFields }, { aliases: { ...pluralCallbacks, id: "name" }, strict: true })

const securityPlugin = fieldTable(
  "a SecurityPlugin",
  { ...common, policyEngine: required(serviceName("policy"), 'Name the service that decides, such as "policyEngine": "rules".') },
  { aliases: { id: "name" }, synonyms: { policy: "policyEngine", engine: "policyEngine" }, strict: true },
)
