import type { PluginConfig, WorkflowConfig } from "../config/workflow-config.js"
import { rootAgentSettings, workflowDefinition } from "../../agent-types/workflow.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describedTable, readDescribed } from "../fields/described-table.js"
import { sharedReaders } from "../fields/value-readers.js"
import type { FoundConfig } from "../workflow/find-config.js"
import { isDefinition } from "../workflow/find-config.js"
import { readDefinition, settingsOf } from "../workflow/read-definition.js"
import { looksLikeAgent } from "./looks-like-agent.js"
import { plugins } from "./plugins.js"
import { readUnconditional } from "./references/sub-agents.js"

/**
 * Parses a workflow config of the adk dialect. The config is either the root agent, which contains
 * its sub-agents (ADK's own form), or an object with a list of agents. In all other cases, reports
 * an error and returns null.
 */
export function readWorkflowConfig(found: FoundConfig): WorkflowConfig | null {
  if (isDefinition(found.config))
    return { ...readDefinition(found, definition), plugins: pluginsOf(found) }
  if (looksLikeAgent(withoutSettings(found.config))) return readRootAgent(found)
  return report(found.location, {
    code: "config_shape",
    problem: "does not contain an agent",
    fix: 'Write an agent {"name": ..., "instruction": ..., "sub_agents": [...]}, or a workflow {"rootAgentId": ..., "agents": [...]}.',
  })
}

/**
 * Parses a config that consists of the root agent. Such a config contains the workflow settings and
 * the shared tools next to the agent's own fields.
 */
function readRootAgent(found: FoundConfig): WorkflowConfig {
  const { config, location, nodeId, context } = found
  const {
    values,
    has,
    locationOf: fieldAt,
  } = readDescribed(
    Object.fromEntries(Object.entries(config).filter(isSetting)),
    settings,
    location,
  )
  const tools = values.globalTools?.flatMap(
    (entry, index) => location.parser.readTool(entry, fieldOf(fieldAt("globalTools"), index)) ?? [],
  )
  const agent = readUnconditional(withoutSettings(config), location)
  return {
    nodeId,
    root: agent?.id == null ? null : { id: agent.id, location: agent.fieldAt("id") },
    agents: agent === null ? null : [agent],
    tools: has("globalTools") ? (tools ?? null) : [],
    registeredTools: true,
    plugins: pluginsOf(found),
    defaultModel: null,
    settings: settingsOf(values),
    prompt: values.initialUserInput,
    // In this form of the config, `description` is a field of the root agent, not of the workflow.
    description: null,
    state: values.state ?? {},
    context: context ?? values.context ?? {},
  }
}

const isSetting = ([key]: readonly [string, unknown]): boolean => settings.table.spellings.has(key)

const withoutSettings = (config: FoundConfig["config"]): FoundConfig["config"] =>
  Object.fromEntries(Object.entries(config).filter((entry) => !isSetting(entry)))

/** Returns the plugins in the config field `plugins`, or an empty list if the field is missing. */
const pluginsOf = ({
  config: { plugins: given },
  location,
}: FoundConfig): readonly PluginConfig[] =>
  given === undefined || given === null ? [] : (plugins(given, fieldOf(location, "plugins")) ?? [])

const definition = describedTable(workflowDefinition, "adk", sharedReaders)

const settings = describedTable(rootAgentSettings, "adk", sharedReaders)
