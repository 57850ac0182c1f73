import type { SettingValues, WorkflowConfig } from "../1-parse/config/workflow-config.js"
import { budget } from "../1-parse/fields/budget.js"
import { duration } from "../1-parse/fields/duration.js"
import type { Reader } from "../1-parse/fields/field-table.js"
import { count, oneOf } from "../1-parse/fields/plain-values.js"
import { stateMerge } from "../1-parse/fields/state-merge.js"
import type { ParserLocation } from "../1-parse/context/parser-context.js"

/**
 * Compile options that override workflow settings. Each option has the name of a setting and
 * replaces its value in the config.
 */
export type SettingOptions = { readonly [Name in keyof Settings]?: Settings[Name] | undefined }

type Settings = SettingValues

/** The default settings of a workflow. */
export const defaultSettings: Settings = {
  maxModelCalls: 500,
  maxModelCallsPerTurn: 100,
  maxOrchestrationCycles: 25,
  maxHandoffs: 25,
  maxDuration: null,
  budget: null,
  onConditionError: "fail",
  subAgentExitFlow: "workflow",
  stateMerge: {},
}

/**
 * Functions that parse the workflow settings in the compile options. Options can come from command
 * lines and untyped code, so they are validated like the config.
 */
const readers: { readonly [Name in keyof Settings]: Reader<Settings[Name]> } = {
  maxModelCalls: count,
  maxModelCallsPerTurn: count,
  maxOrchestrationCycles: count,
  maxHandoffs: count,
  maxDuration: duration,
  budget,
  onConditionError: oneOf(["fail", "continue"]),
  subAgentExitFlow: oneOf(["workflow", "agent"]),
  stateMerge,
}

export function resolveSettings(
  config: WorkflowConfig,
  options: SettingOptions,
  location: ParserLocation,
): Settings {
  const chosen = <Name extends keyof Settings>(name: Name): Settings[Name] => {
    const option: unknown = options[name]
    const read =
      option === undefined || option === null
        ? null
        : readers[name](option, optionLocation(name, location))
    const written: Settings[Name] | null = config.settings[name]
    return read ?? written ?? defaultSettings[name]
  }
  return {
    maxModelCalls: chosen("maxModelCalls"),
    maxModelCallsPerTurn: chosen("maxModelCallsPerTurn"),
    maxOrchestrationCycles: chosen("maxOrchestrationCycles"),
    maxHandoffs: chosen("maxHandoffs"),
    maxDuration: chosen("maxDuration"),
    budget: chosen("budget"),
    onConditionError: chosen("onConditionError"),
    subAgentExitFlow: chosen("subAgentExitFlow"),
    stateMerge: chosen("stateMerge"),
  }
}

export const optionLocation = (
  name: string,
  { parser, document }: ParserLocation,
): ParserLocation => ({
  parser,
  document,
  owner: { kind: "options", id: null, label: "the compile options" },
  field: name,
  pointer: "",
})
