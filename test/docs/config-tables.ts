import { compaction } from "../../src/compiler/agent-types/compaction.js"
import {
  childWorkflowConfig,
  graphLimits,
  loopConfig,
  nodeConditions,
  taskGraph,
} from "../../src/compiler/agent-types/task-graph.js"
import { taskNodes } from "../../src/compiler/agent-types/task-nodes.js"
import {
  budget,
  httpConfig,
  modelActivityConfig,
  modelFallback,
  modelRoute,
  retryPolicy,
} from "../../src/compiler/agent-types/call-settings.js"
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
import { workflowGraph } from "../../src/compiler/agent-types/graph-nodes.js"
import {
  guardrails,
  inputGuardrail,
  outputGuardrail,
} from "../../src/compiler/agent-types/guardrails.js"
import { forEach } from "../../src/compiler/agent-types/for-each.js"
import { humanAgent } from "../../src/compiler/agent-types/human-agent.js"
import { llmAgent } from "../../src/compiler/agent-types/llm-agent.js"
import { machineAgent } from "../../src/compiler/agent-types/machine-agent.js"
import { nodeOptions, nodeRetry } from "../../src/compiler/agent-types/node-options.js"
import { agentTool, httpTool, openApiToolset } from "../../src/compiler/agent-types/tools.js"
import { remoteAgent } from "../../src/compiler/agent-types/remote-agent.js"
import { waitAgent } from "../../src/compiler/agent-types/wait-agent.js"
import { workflowAgent } from "../../src/compiler/agent-types/workflow-agent.js"
import {
  agentReference,
  settingFields,
  workflowDefinition,
} from "../../src/compiler/agent-types/workflow.js"

interface Row {
  readonly name: string
  readonly field: FieldDescription
}

/** Fields that the text above the tables describes. */
const inText = ["id", "agentClass", "type", "subAgents of containers", "modelCode", "when"]

/** The fields that exist in a dialect, by their names in the dialect. */
function rowsOf(
  fields: FieldDescriptions,
  dialect: Dialect,
  isShown: (key: string, field: FieldDescription) => boolean = () => true,
): readonly Row[] {
  return Object.entries(fields).flatMap(([key, field]): Row[] => {
    const spelling = field.dialects[dialect]
    if (spelling === undefined || inText.includes(key) || !isShown(key, field)) return []
    return [{ name: spelling.name ?? key, field }]
  })
}

const meaningOf = ({ description, extension }: FieldDescription): string =>
  extension === true ? `${description} *Not part of Graph Compose.*` : description

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n")
}

const fieldTable = (rows: readonly Row[], prefix = "", title = "Field"): string =>
  table([title, "Default", "Meaning"], cells(rows, prefix))

const cells = (rows: readonly Row[], prefix = ""): readonly (readonly string[])[] =>
  rows.map(({ name, field }) => [`\`${prefix}${name}\``, defaultOf(field), meaningOf(field)])

/** A table without defaults. */
const plainTable = (rows: readonly Row[], title = "Field"): string =>
  table(
    [title, "Meaning"],
    rows.map(({ name, field }) => [`\`${name}\``, meaningOf(field)]),
  )

/** A table of several types, which names the types that have each field. */
function unionTable(
  title: string,
  types: Readonly<Record<string, FieldDescriptions>>,
  typesOf: (name: string, having: readonly string[]) => string,
  isShown: (key: string, field: FieldDescription) => boolean,
): string {
  const having = new Map<string, { readonly field: FieldDescription; readonly types: string[] }>()
  for (const [type, fields] of Object.entries(types)) {
    for (const { name, field } of rowsOf(fields, "graph-compose", isShown)) {
      const known = having.get(name)
      if (known === undefined) having.set(name, { field, types: [type] })
      else known.types.push(type)
    }
  }
  return table(
    ["Field", title, "Default", "Meaning"],
    [...having].map(([name, { field, types: all }]) => [
      `\`${name}\``,
      typesOf(name, all),
      defaultOf(field),
      meaningOf(field),
    ]),
  )
}

const callbackOrShared = (field: FieldDescription): boolean =>
  field.type === "callbacks" || field.dialects["graph-compose"] !== undefined

/** The tables of docs/config.md, by the names in their markers. */
export const configTables: Readonly<Record<string, string>> = {
  workflow: fieldTable(
    rowsOf(workflowDefinition.fields, "graph-compose", (key) => !(key in settingFields)),
  ),
  settings: fieldTable(rowsOf(settingFields, "graph-compose")),
  budget: fieldTable(rowsOf(budget.fields, "graph-compose")),
  compaction: fieldTable(rowsOf(compaction.fields, "graph-compose")),
  guardrails: fieldTable(rowsOf(guardrails.fields, "graph-compose")),
  inputGuardrail: fieldTable(
    rowsOf(inputGuardrail.fields, "graph-compose"),
    "",
    "Field of an input guardrail",
  ),
  outputGuardrail: fieldTable(
    rowsOf(outputGuardrail.fields, "graph-compose"),
    "",
    "Field of an output guardrail",
  ),
  LlmAgent: fieldTable(rowsOf(llmAgent.fields, "graph-compose", (key) => key !== "description")),
  fallback: fieldTable(
    rowsOf(modelFallback.fields, "graph-compose"),
    "",
    "Field of an entry of `fallback`",
  ),
  routes: fieldTable(
    [
      { name: "when", field: modelRoute.fields.when },
      ...rowsOf(modelRoute.fields, "graph-compose"),
    ],
    "",
    "Field of an entry of `routes`",
  ),
  reference: plainTable(
    [
      { name: "agentId", field: agentReference.fields.agentId },
      { name: "when", field: agentReference.fields.when },
    ],
    "Field of a reference",
  ),
  containers: unionTable(
    "Agent type",
    {
      Sequential: sequentialAgent.fields,
      Parallel: parallelAgent.fields,
      Loop: loopAgent.fields,
    },
    (_, types) => types.join(", "),
    (key, { type }) => !["description", "subAgents"].includes(key) && type !== "noOutputKey",
  ),
  forEach: fieldTable(rowsOf(forEach.fields, "graph-compose"), "", "Field of `forEach`"),
  HumanAgent: fieldTable(
    rowsOf(humanAgent.fields, "graph-compose", (key) => key !== "description"),
  ),
  tools: unionTable(
    "Tool type",
    { HttpTool: httpTool.fields, AgentTool: agentTool.fields },
    (name, types) =>
      ["expiresIn", "onExpiry"].includes(name)
        ? `${types.join(", ")}; all tools in \`adk\``
        : types.length === 2
          ? "both"
          : types.join(", "),
    () => true,
  ),
  OpenAPIToolset: fieldTable(
    rowsOf(openApiToolset.fields, "graph-compose"),
    "",
    "Field of an OpenAPIToolset",
  ),
  httpConfig: table(
    ["Field", "Default", "Meaning"],
    cells(rowsOf(httpConfig.fields, "graph-compose")),
  ),
  activityConfig: table(
    ["Field", "Default", "Meaning"],
    [
      ...cells(rowsOf(modelActivityConfig.fields, "graph-compose", (key) => key !== "retryPolicy")),
      ...cells(rowsOf(retryPolicy.fields, "graph-compose"), "retryPolicy."),
    ],
  ),
  "LlmAgent in adk": fieldTable(
    rowsOf(llmAgent.fields, "adk", (_, field) => !callbackOrShared(field)),
  ),
  WaitAgent: fieldTable(
    rowsOf(waitAgent.fields, "adk", (key) => !["when", "description"].includes(key)),
  ),
  WorkflowAgent: fieldTable(
    rowsOf(workflowAgent.fields, "adk", (key) => !["when", "description"].includes(key)),
  ),
  RemoteA2AAgent: fieldTable(
    rowsOf(remoteAgent.fields, "adk", (key) => !["when", "description"].includes(key)),
  ),
  MachineAgent: fieldTable(
    rowsOf(machineAgent.fields, "adk", (key, field) => key !== "when" && !callbackOrShared(field)),
  ),
  nodeOptions: table(
    ["Option of a node", "Default", "Meaning"],
    [
      ...cells(rowsOf(nodeOptions.fields, "adk", (key) => key !== "retryConfig")),
      ...cells(rowsOf(nodeRetry.fields, "adk"), "retryConfig."),
    ],
  ),
  graph: fieldTable(
    rowsOf(taskGraph.fields, "graph-compose", (key) => key !== "workflowConfig").concat(
      rowsOf(graphLimits.fields, "graph-compose").map(({ name, field }) => ({
        name: `workflowConfig.${name}`,
        field,
      })),
    ),
    "",
    "Field of a graph",
  ),
  nodes: unionTable(
    "Node type",
    Object.fromEntries(Object.entries(taskNodes).map(([type, { fields }]) => [type, fields])),
    (_, types) =>
      types.length === Object.keys(taskNodes).length
        ? "all"
        : types.map((type) => `\`${type}\``).join(", "),
    (key) => key !== "type",
  ),
  conditions: plainTable(rowsOf(nodeConditions.fields, "graph-compose"), "Field of `conditions`"),
  loop: fieldTable(
    [
      ...rowsOf(loopConfig.fields, "graph-compose", (key) => key !== "childWorkflowConfig"),
      ...rowsOf(childWorkflowConfig.fields, "graph-compose").map(({ name, field }) => ({
        name: `childWorkflowConfig.${name}`,
        field,
      })),
    ],
    "",
    "Field of `config`",
  ),
  Workflow: fieldTable(
    rowsOf(
      workflowGraph.fields,
      "adk",
      (key, field) => key !== "description" && field.type !== "callbacks",
    ),
    "",
    "Field of a Workflow",
  ),
}

const marker = /(<!-- fields: ([^>]+) -->\n\n)(?:\|.*\n)+/g

/** Returns a page with its tables replaced by the current ones. */
export function withTables(page: string): string {
  return page.replaceAll(marker, (_, start: string, name: string) => {
    const text = configTables[name]
    if (text === undefined) throw new Error(`there is no table "${name}"`)
    return `${start}${text}\n`
  })
}

/** Returns the names of the tables on a page. */
export const tablesOn = (page: string): readonly string[] =>
  [...page.matchAll(marker)].map((match) => match[2] ?? "")
