import type { PluginConfig } from "../config/workflow-config.js"
import { anything } from "../fields/data.js"
import type { Reader } from "../fields/field-table.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { filledText, list, objectOf, refuseType } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import { didYouMean } from "../../../machines/data/suggest.js"
import { noteUnsupported } from "../context/unsupported.js"
import { callbackFields, hookNames, hooksOf } from "./values/callbacks.js"
import { callbackNames, serviceName } from "./values/service-names.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import { sharedReaders } from "../fields/value-readers.js"
import { useService } from "../context/service-uses.js"

/**
 * Parses the plugins of a workflow. Their callbacks apply to every LlmAgent and run before the
 * agent's own callbacks.
 */
export const plugins: Reader<readonly PluginConfig[]> = (value, location) =>
  list(value, location)?.flatMap((entry, index) => plugin(entry, fieldOf(location, index)) ?? []) ??
  null

const pluginTypes = ["Plugin", "SecurityPlugin"] as const

function plugin(entry: unknown, location: ParserLocation): PluginConfig | null {
  const object = objectOf(entry)
  if (typeof entry === "string") return registeredPlugin(filledText(entry, location), location)
  if (object === null)
    return refuseType(entry, location, "a plugin", 'an object with "type" and "name"')
  const type = object["type"] ?? "Plugin"
  const own: ParserLocation = {
    ...location,
    field: "",
    owner: pluginOwner(type, object["name"], location),
  }
  if (Object.keys(object).every((key) => key === "name"))
    return registeredPlugin(readFields(object, namedPlugin, own).values.name, fieldOf(own, "name"))
  if (type === "Plugin")
    return {
      hooks: hooksOf(
        readDescribed(object, callbackPlugin, own, [{ table: securityPlugin }]).values,
      ),
      policy: null,
      registered: null,
    }
  if (type === "SecurityPlugin")
    return {
      hooks: {},
      policy: readFields(object, securityPlugin, own, [callbackPlugin.table]).values.policyEngine,
      registered: null,
    }
  if (typeof type === "string" && type.includes(".")) {
    const { name, args } = readFields(object, pluginClass, own).values
    return (objectOf(args) ?? args ?? null) === null
      ? registeredPlugin(name ?? type, own)
      : noteUnsupported(own, "plugins created with arguments")
  }
  const suggestion = typeof type === "string" ? location.parser.suggest(type, pluginTypes) : null
  return report(fieldOf(own, "type"), {
    code: "bad_value",
    problem: `is ${describeValue(type)}, which is not a plugin type`,
    fix: `${didYouMean(suggestion)}Write "Plugin" for callbacks, or "SecurityPlugin" for a policy engine.`,
  })
}

/**
 * Parses a reference to a plugin that is registered with the runner. If the compile option
 * `services` declares the plugin, only the declared callbacks are called. If not, its callbacks are
 * only known at run time, so the plugin is called for every hook and every tool call.
 */
function registeredPlugin(name: string | null, location: ParserLocation): PluginConfig | null {
  if (name === null) return null
  useService(name, "plugin", location)
  const known = location.parser.services.find(name, "plugin")
  if (known?.plugin !== undefined)
    return plugin(
      {
        ...known.plugin,
        name: known.plugin["name"] ?? name,
        type: known.plugin["type"] ?? "Plugin",
      },
      location,
    )
  return {
    hooks: Object.fromEntries(hookNames.map((hook) => [hook, [name]])),
    policy: name,
    registered: name,
  }
}

function pluginOwner(
  type: unknown,
  name: unknown,
  { pointer }: ParserLocation,
): ParserLocation["owner"] {
  const kind = pluginTypes.find((known) => known === type) ?? "plugin"
  return {
    kind: "workflow",
    id: null,
    label:
      typeof name === "string" && name !== ""
        ? `the ${kind} ${describeValue(name)}`
        : `the ${kind} at ${pointer}`,
  }
}

const common = { type: optional(anything), name: optional(filledText) }

const namedPlugin = fieldTable("a plugin", {
  name: required(
    filledText,
    "Write the name under which the plugin is registered with the runner.",
  ),
})

const pluginClass = fieldTable(
  "a plugin of a class",
  { ...common, args: optional(anything) },
  { aliases: { id: "name" } },
)

const callbackPlugin = describedTable(
  {
    name: "a Plugin",
    fields: {
      type: { type: "unchecked", description: "The type of the plugin.", dialects: { adk: {} } },
      name: {
        type: "filledText",
        description: "The name of the plugin.",
        dialects: { adk: { aliases: ["id"] } },
      },
      ...callbackFields,
    } as const,
    strictIn: ["adk"],
  },
  "adk",
  { ...sharedReaders, callbacks: callbackNames },
)

const securityPlugin = fieldTable(
  "a SecurityPlugin",
  {
    ...common,
    policyEngine: required(
      serviceName("policy"),
      'Add the name of the service that decides, such as "policyEngine": "rules".',
    ),
  },
  {
    aliases: { id: "name" },
    synonyms: { policy: "policyEngine", engine: "policyEngine" },
    strict: true,
  },
)
