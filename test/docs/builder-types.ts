import {
  activityConfig,
  httpConfig,
  modelActivityConfig,
  modelFallback,
  modelRoute,
  retryPolicy,
} from "../../src/compiler/agent-types/call-settings.js"
import { compaction } from "../../src/compiler/agent-types/compaction.js"
import {
  loopAgent,
  parallelAgent,
  sequentialAgent,
} from "../../src/compiler/agent-types/containers.js"
import type { Dialect } from "../../src/compiler/agent-types/dialects.js"
import type {
  FieldDescription,
  FieldDescriptions,
} from "../../src/compiler/agent-types/field-description.js"
import { defaultOf } from "../../src/compiler/agent-types/field-description.js"
import {
  guardrails,
  inputGuardrail,
  outputGuardrail,
} from "../../src/compiler/agent-types/guardrails.js"
import { forEach } from "../../src/compiler/agent-types/for-each.js"
import { humanAgent } from "../../src/compiler/agent-types/human-agent.js"
import { llmAgent } from "../../src/compiler/agent-types/llm-agent.js"
import { remoteAgent } from "../../src/compiler/agent-types/remote-agent.js"
import { agentTool, httpTool } from "../../src/compiler/agent-types/tools.js"
import { waitAgent } from "../../src/compiler/agent-types/wait-agent.js"
import { workflowAgent } from "../../src/compiler/agent-types/workflow-agent.js"
import type { ValueType } from "../../src/compiler/agent-types/value-types.js"

/** A field with its name in a dialect. */
type Named = readonly [string, FieldDescription]

/** The TypeScript types of field values, as a program writes them. */
const valueTypes: Readonly<Partial<Record<ValueType, string>>> = {
  text: "string",
  filledText: "string",
  flag: "boolean",
  count: "number",
  factor: "number",
  amount: "number",
  duration: "string",
  agentId: "string",
  toolId: "string",
  reference: "string",
  outputKey: "string",
  condition: "string",
  items: "string",
  stateName: "string",
  collect: "Readonly<Record<string, string>>",
  forEach: "ForEachConfig",
  completion: '"all" | "first-success" | { readonly quorum: number }',
  data: "Readonly<Record<string, unknown>>",
  url: "string",
  httpMethod: "HttpMethod",
  headers: "Readonly<Record<string, unknown>>",
  httpBody: "Readonly<Record<string, unknown>> | string",
  httpConfig: "HttpConfig",
  activityConfig: "ActivityConfig",
  modelActivityConfig: "ModelActivityConfig",
  retryPolicy: "RetryPolicyConfig",
  budget: "BudgetFields",
  compaction: "CompactionConfig",
  guardrails: "GuardrailsConfig",
  inputGuardrails: "readonly (string | InputGuardrailConfig)[]",
  outputGuardrails: "readonly (string | OutputGuardrailConfig)[]",
  guardrailService: "string",
  model: "string",
  fallback: "readonly (string | ModelFallbackConfig)[]",
  modelRoutes: "readonly ModelRouteConfig[]",
  failureClasses: "FailureClass | readonly FailureClass[]",
  content: "string",
  modelSettings: "JsonObject",
  tools: "readonly string[]",
  handoffTargets: "readonly GraphComposeAgent[]",
  positions: "readonly SubAgentReference[]",
  answerChoices: "readonly (string | number | boolean)[]",
  stateKeys: "readonly string[]",
  calledWorkflow: "string | AgentChart",
  workflowFile: "string",
  machineInput: "readonly string[] | Readonly<Record<string, string>>",
}

/** Types of fields that a class of ADK copies to the config unchanged. */
const copiedTypes: ReadonlySet<FieldDescription["type"]> = new Set<FieldDescription["type"]>([
  "choice",
  "count",
  "forEach",
  "completion",
  "outputKey",
  "flag",
  "content",
  "modelSettings",
  "budget",
  "compaction",
  "duration",
])

const isCopied = ([, { type }]: Named): boolean => copiedTypes.has(type)

/** Classes that ADK does not have copy all options of their own. A program passes charts, not files. */
const isOwnOption = ([name, { type }]: Named): boolean =>
  name !== "name" && name !== "description" && type !== "callbacks" && type !== "workflowFile"

function typeOf({ type, choices }: FieldDescription): string {
  if (type === "choice") return (choices ?? []).map((choice) => JSON.stringify(choice)).join(" | ")
  const known = valueTypes[type]
  if (known === undefined) throw new Error(`the value type "${type}" has no TypeScript type`)
  return known
}

/** Fields that an interface does not have. The builder adds the type of the object. */
const isLeftOut = ({ type }: FieldDescription): boolean =>
  type === "agentClass" || type === "unchecked" || type === "noOutputKey"

/** Removes the links from a text in Markdown. */
const withoutLinks = (text: string): string =>
  text.replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)/g, "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")

/** Returns a doc comment with lines of at most 100 characters. */
function comment(text: string, indent: string): string {
  const single = `${indent}/** ${text} */`
  if (single.length <= 100) return single
  const lines: string[] = []
  let line = ""
  for (const word of text.split(" ")) {
    if (`${indent} * ${line} ${word}`.length > 100) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [
    `${indent}/**`,
    ...[...lines, line].map((one) => `${indent} * ${one}`),
    `${indent} */`,
  ].join("\n")
}

/** Returns the fields of a dialect by their names in it. */
const fieldsIn = (fields: FieldDescriptions, dialect: Dialect): readonly Named[] =>
  Object.entries(fields).flatMap(([key, field]): Named[] => {
    const spelling = field.dialects[dialect]
    return spelling === undefined || isLeftOut(field) ? [] : [[spelling.name ?? key, field]]
  })

function member([name, field]: Named, dialect: Dialect): string {
  const missing = field.dialects[dialect]?.missing
  const isRequired = missing !== undefined && missing.unless === undefined
  const text = defaultOf(field)
  const note = isRequired || /^(?:none|required\b.*)$/.test(text) ? "" : ` Default: ${text}.`
  const described = comment(withoutLinks(`${field.description}${note}`), "  ")
  return `${described}\n  readonly ${name}${isRequired ? "" : "?"}: ${typeOf(field)}`
}

const interfaceOf = (
  name: string,
  description: string,
  fields: FieldDescriptions,
  dialect: Dialect = "graph-compose",
  isIncluded: (field: Named) => boolean = () => true,
): string =>
  [
    comment(description, ""),
    `export interface ${name} {`,
    ...fieldsIn(fields, dialect)
      .filter(isIncluded)
      .map((field) => member(field, dialect)),
    "}",
  ].join("\n")

/** Returns the type and the names of the options that a class copies to its config. */
const copiedOptions = (
  type: string,
  fields: FieldDescriptions,
  isIncluded: (field: Named) => boolean,
): readonly string[] => [
  interfaceOf(
    `${type}Data`,
    `The options of the class ${type} that are copied to its config.`,
    fields,
    "adk",
    isIncluded,
  ),
  [
    comment(`The names of the options in ${type}Data.`, ""),
    `export const ${type.charAt(0).toLowerCase()}${type.slice(1)}Data = [`,
    ...fieldsIn(fields, "adk")
      .filter(isIncluded)
      .map(([name]) => `  "${name}",`),
    `] as const satisfies readonly (keyof ${type}Data)[]`,
  ].join("\n"),
]

const agents = {
  LlmAgent: llmAgent,
  SequentialAgent: sequentialAgent,
  ParallelAgent: parallelAgent,
  LoopAgent: loopAgent,
  HumanAgent: humanAgent,
  WaitAgent: waitAgent,
}
const tools = { HttpTool: httpTool, AgentTool: agentTool }

const mapOf = (name: string, description: string, kinds: object): string =>
  [
    comment(description, ""),
    `export interface ${name} {`,
    ...Object.keys(kinds).map((kind) => `  readonly ${kind}: ${kind}Fields`),
    "}",
  ].join("\n")

const note =
  "// The field tables in src/compiler/agent-types define these types. `npm run docs:config` updates\n// this file."

/** Returns the file with the types of settings that several kinds of agents and tools have. */
const settingFields = (): string =>
  [
    note,
    'import type { FailureClass } from "../../machines/contract/activity.js"',
    'type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"',
    interfaceOf("HttpConfig", "The HTTP endpoint of an agent or a tool.", httpConfig.fields),
    interfaceOf("RetryPolicyConfig", "The retries of a call.", retryPolicy.fields),
    interfaceOf(
      "ActivityConfig",
      "Timeouts and retries of a call. Durations are strings such as `30s` or `5 minutes`.",
      activityConfig.fields,
    ),
    interfaceOf(
      "ModelActivityConfig",
      "Timeouts and retries of a model call. Durations are strings such as `30s` or `5 minutes`.",
      modelActivityConfig.fields,
    ),
    interfaceOf(
      "ModelFallbackConfig",
      "A model that is called if the models before it fail.",
      modelFallback.fields,
    ),
    interfaceOf(
      "ModelRouteConfig",
      "A model that is called instead of the agent's own model if a condition is true.",
      modelRoute.fields,
    ),
    interfaceOf(
      "CompactionConfig",
      "The limit for the conversation of an LlmAgent.",
      compaction.fields,
    ),
    interfaceOf(
      "InputGuardrailConfig",
      "A check of the input of an LlmAgent.",
      inputGuardrail.fields,
    ),
    interfaceOf(
      "OutputGuardrailConfig",
      "A check of the final texts of an LlmAgent.",
      outputGuardrail.fields,
    ),
    interfaceOf(
      "GuardrailsConfig",
      "The checks of the input and of the final texts of an LlmAgent.",
      guardrails.fields,
    ),
    interfaceOf(
      "ForEachConfig",
      "The items for which a ParallelAgent runs its sub-agent.",
      forEach.fields,
    ),
    "/** A reference with which a container runs an agent. */\nexport interface SubAgentReference {\n  readonly agentId: string\n  /** Condition for running the agent. If it is false, the agent is skipped. */\n  readonly when?: string\n}",
    "",
  ].join("\n\n")

/** The agents whose types are in a file of their own. */
const calls = { WorkflowAgent: workflowAgent, RemoteA2AAgent: remoteAgent }

const fieldInterfaces = (kinds: typeof agents | typeof calls | typeof tools): string[] =>
  Object.entries(kinds).map(([type, { name, fields }]) =>
    interfaceOf(`${type}Fields`, `The config fields of ${name}.`, fields),
  )

/** Returns the file with the types of agents that call workflows or remote agents. */
const callFields = (): string =>
  [
    note,
    'import type { AgentChart } from "../../machines/contract/agent-chart.js"\nimport type { BudgetFields } from "../../machines/contract/budget.js"\nimport type { ActivityConfig } from "./setting-fields.js"',
    ...fieldInterfaces(calls),
    "",
  ].join("\n\n")

/** Returns the file with the types of agents and tools. */
const configFields = (): string =>
  [
    note,
    'import type { BudgetFields } from "../../machines/contract/budget.js"\nimport type { RemoteA2AAgentFields, WorkflowAgentFields } from "./call-fields.js"\nimport type {\n  ActivityConfig,\n  CompactionConfig,\n  ForEachConfig,\n  GuardrailsConfig,\n  HttpConfig,\n  ModelActivityConfig,\n  ModelFallbackConfig,\n  ModelRouteConfig,\n  SubAgentReference,\n} from "./setting-fields.js"',
    ...fieldInterfaces(agents),
    ...fieldInterfaces(tools),
    mapOf("AgentFields", "The config fields of each agent type, by the name of the type.", {
      ...agents,
      ...calls,
    }),
    mapOf("ToolFields", "The config fields of each tool type, by the name of the type.", tools),
    "type Typed<Fields> = {\n  readonly [Type in keyof Fields]: { readonly type: Type } & Fields[Type]\n}[keyof Fields]",
    "/** The config of an agent in the format of Graph Compose. */\nexport type GraphComposeAgent = Typed<AgentFields>",
    "/** The config of a tool in the format of Graph Compose. */\nexport type GraphComposeTool = Typed<ToolFields>",
    "",
  ].join("\n\n")

/** Returns the file with the types of the options that classes of ADK copy to their config. */
const agentOptions = (): string =>
  [
    note,
    'import type { AgentChart } from "../../machines/contract/agent-chart.js"\nimport type { BudgetFields } from "../../machines/contract/budget.js"\nimport type { JsonObject } from "../../machines/data/json-object.js"\nimport type { ActivityConfig, CompactionConfig, ForEachConfig } from "./setting-fields.js"',
    ...copiedOptions("LlmAgent", llmAgent.fields, isCopied),
    ...copiedOptions("ParallelAgent", parallelAgent.fields, isCopied),
    ...copiedOptions("HumanAgent", humanAgent.fields, isOwnOption),
    ...copiedOptions("WaitAgent", waitAgent.fields, isOwnOption),
    ...copiedOptions("WorkflowAgent", workflowAgent.fields, isOwnOption),
    ...copiedOptions("RemoteA2AAgent", remoteAgent.fields, isOwnOption),
    "",
  ].join("\n\n")

/** The generated files in src/adk/common, by name. */
export const builderTypes = {
  "setting-fields.ts": settingFields(),
  "config-fields.ts": configFields(),
  "call-fields.ts": callFields(),
  "agent-options.ts": agentOptions(),
}
