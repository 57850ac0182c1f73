import * as settings from "../agent-types/call-settings.js"
import { compaction } from "../agent-types/compaction.js"
import { loopAgent, parallelAgent, sequentialAgent } from "../agent-types/containers.js"
import { customAgent } from "../agent-types/custom-agent.js"
import { guardrails, inputGuardrail, outputGuardrail } from "../agent-types/guardrails.js"
import { forEach } from "../agent-types/for-each.js"
import type { Dialect } from "../agent-types/dialects.js"
import type { ObjectDescription } from "../agent-types/field-description.js"
import {
  functionNode,
  joinNode,
  routerNode,
  toolNode,
  workflowGraph,
} from "../agent-types/graph-nodes.js"
import { humanAgent } from "../agent-types/human-agent.js"
import { llmAgent } from "../agent-types/llm-agent.js"
import { nodeOptions, nodeRetry } from "../agent-types/node-options.js"
import { agentTool, functionTool, httpTool, openApiToolset, toolset } from "../agent-types/tools.js"
import { remoteAgent } from "../agent-types/remote-agent.js"
import { taskGraph } from "../agent-types/task-graph.js"
import type { ValueSchema } from "../agent-types/value-types.js"
import { agentReference, rootAgentSettings, workflowDefinition } from "../agent-types/workflow.js"
import { waitAgent } from "../agent-types/wait-agent.js"
import { workflowAgent } from "../agent-types/workflow-agent.js"
import { cases, fieldsSchema, objectSchema, type SchemaObject } from "./object-schema.js"
import { taskSchemas } from "./task-schemas.js"

type Types = Readonly<Record<string, ObjectDescription>>

const commonAgents = {
  LlmAgent: llmAgent,
  HumanAgent: humanAgent,
  WorkflowAgent: workflowAgent,
  RemoteA2AAgent: remoteAgent,
  WaitAgent: waitAgent,
  SequentialAgent: sequentialAgent,
  ParallelAgent: parallelAgent,
  LoopAgent: loopAgent,
} as const satisfies Types

/** Descriptions of the config fields of each agent type, by dialect and type. */
export const agentDescriptions: Readonly<Record<Dialect, Types>> = {
  "graph-compose": commonAgents,
  adk: {
    ...commonAgents,
    Workflow: workflowGraph,
    FunctionNode: functionNode,
    RouterNode: routerNode,
    JoinNode: joinNode,
    ToolNode: toolNode,
  },
}

const toolTypes: Readonly<Record<Dialect, Types>> = {
  "graph-compose": { HttpTool: httpTool, AgentTool: agentTool, OpenAPIToolset: openApiToolset },
  adk: {
    HttpTool: httpTool,
    AgentTool: agentTool,
    FunctionTool: functionTool,
    LongRunningFunctionTool: functionTool,
    Toolset: toolset,
    OpenAPIToolset: openApiToolset,
  },
}

/**
 * Returns the JSON Schema (draft 2020-12) of configs in a dialect. The schema accepts every config
 * that compiles without unknown fields. `compile` also checks rules that a schema cannot express,
 * such as references and conditions.
 */
export function configSchema(dialect: Dialect): SchemaObject {
  const single = dialect === "adk" ? ref("rootAgent") : ref("workflow")
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `A workflow in the ${dialect} dialect of agent-statecharts`,
    ...cases(
      [
        [hasAny(definitionFields), ref("workflow")],
        [
          hasAny(["nodes"], ["agent_class", "agentClass"], {
            type: { not: { const: "Workflow" } },
          }),
          ref("graph"),
        ],
        [hasAny(["config"]), ref("node")],
      ],
      single,
    ),
    $defs: {
      graph: objectSchema(taskGraph, dialect),
      ...taskSchemas(dialect),
      adkConfig: cases([[hasAny(definitionFields), ref("workflow")]], single),
      node: {
        type: "object",
        properties: { config: ref("adkConfig") },
        required: ["config"],
      },
      workflow: objectSchema(workflowDefinition, dialect),
      ...agentSchemas(dialect),
      position: positionSchema(dialect),
      reference: objectSchema(agentReference, dialect),
      ...toolSchemas(dialect),
      httpConfig: objectSchema(settings.httpConfig, dialect),
      activityConfig: objectSchema(settings.activityConfig, dialect),
      modelActivityConfig: objectSchema(settings.modelActivityConfig, dialect),
      retryPolicy: objectSchema(settings.retryPolicy, dialect),
      budget: objectSchema(settings.budget, dialect),
      modelFallback: objectSchema(settings.modelFallback, dialect),
      modelRoute: objectSchema(settings.modelRoute, dialect),
      compaction: objectSchema(compaction, dialect),
      guardrails: objectSchema(guardrails, dialect),
      inputGuardrail: objectSchema(inputGuardrail, dialect),
      outputGuardrail: objectSchema(outputGuardrail, dialect),
      forEach: objectSchema(forEach, dialect),
      ...(dialect === "adk" && {
        nodeOptions: objectSchema(nodeOptions, dialect),
        nodeRetry: objectSchema(nodeRetry, dialect),
      }),
    },
  }
  // Several definitions share objects. The copy prevents a validator that annotates one of these
  // objects from changing all of the definitions.
  return structuredClone(schema)
}

/** Names of the fields that only a workflow with a list of agents has. */
const definitionFields = ["rootAgentId", "root_agent_id", "agents"]

const ref = (name: string): SchemaObject => ({ $ref: `#/$defs/${name}` })

/**
 * Returns a JSON Schema that accepts objects with at least one of the fields `fields` and none of
 * the fields `none`. `properties` contains the schemas of the object's fields.
 */
const hasAny = (
  fields: readonly string[],
  none: readonly string[] = [],
  properties: Readonly<Record<string, ValueSchema>> = {},
): SchemaObject => ({
  type: "object",
  anyOf: fields.map((field) => ({ required: [field] })),
  ...(none.length > 0 && { not: { anyOf: none.map((field) => ({ required: [field] })) } }),
  properties,
})

const classFields = ["agent_class", "agentClass", "type"]

/**
 * Returns a JSON Schema that accepts the spellings of an ADK class: with or without its module
 * path, and `Agent` for LlmAgent.
 */
const classPattern = (type: string): SchemaObject => ({
  pattern: `^(?:google\\.adk\\.agents\\.(?:\\w+\\.)?)?${type === "LlmAgent" ? "(?:Llm)?Agent" : type}$`,
})

/**
 * A JSON Schema that accepts agents that may be host functions. These are agents of the class
 * `CustomAgent` or of a class with a dotted name.
 */
const isCustom: ValueSchema = {
  anyOf: classFields.map((field) => ({
    properties: { [field]: { type: "string", pattern: "\\.|^CustomAgent$" } },
    required: [field],
  })),
}

/**
 * Returns a JSON Schema that accepts agents of a type. In the adk dialect, all accepted names of
 * the type are allowed.
 */
const isOfType = (dialect: Dialect, type: string): ValueSchema =>
  dialect === "graph-compose"
    ? { properties: { type: { const: type } }, required: ["type"] }
    : {
        anyOf: classFields.map((field) => ({
          properties: { [field]: { type: "string", ...classPattern(type) } },
          required: [field],
        })),
      }

/**
 * Returns a JSON Schema that accepts objects with the fields of all given schemas and rejects other
 * fields.
 */
const closed = (...parts: readonly ValueSchema[]): SchemaObject => ({
  allOf: parts,
  unevaluatedProperties: false,
})

/**
 * Returns a JSON Schema that lists the usual values of fields, so that editors can complete them.
 * The schema accepts all other values too.
 */
const listed = (fields: readonly string[], names: readonly string[]): SchemaObject => ({
  properties: Object.fromEntries(
    fields.map((field) => [field, { anyOf: [{ enum: [...names] }, true] }]),
  ),
})

const fieldsOf = (type: string): SchemaObject => ref(`${type}Fields`)

function agentSchemas(dialect: Dialect): SchemaObject {
  const types = Object.entries(agentDescriptions[dialect])
  const typed = types.map(([type]) => [isOfType(dialect, type), closed(fieldsOf(type))] as const)
  const definitions = Object.fromEntries(
    types.map(([type, description]) => [`${type}Fields`, fieldsSchema(description, dialect)]),
  )
  const names = Object.keys(agentDescriptions[dialect])
  if (dialect === "graph-compose")
    return { agent: { ...listed(["type"], names), ...cases(typed, false) }, ...definitions }
  const classes = listed(classFields, [...names, "CustomAgent"])
  const classless = {
    not: {
      anyOf: classFields.map((field) => ({
        required: [field],
        properties: { [field]: { not: { type: "null" } } },
      })),
    },
  }
  const elsewhere = [hasAny(["config_path", "configPath", "code"]), { type: "object" }] as const
  const custom = [isCustom, fieldsOf("CustomAgent")] as const
  return {
    agent: {
      ...classes,
      ...cases(
        [
          elsewhere,
          [{ type: "object", ...classless }, closed(fieldsOf("LlmAgent"))],
          ...typed,
          custom,
        ],
        false,
      ),
    },
    // Only the root agent can have the fields of the workflow. Nested agents cannot.
    rootAgent: {
      ...classes,
      ...cases(
        [
          elsewhere,
          [{ type: "object", ...classless }, closed(fieldsOf("LlmAgent"), ref("settings"))],
          ...types.map(
            ([type]) => [isOfType(dialect, type), closed(fieldsOf(type), ref("settings"))] as const,
          ),
          custom,
        ],
        false,
      ),
    },
    settings: fieldsSchema(rootAgentSettings, dialect),
    CustomAgentFields: fieldsSchema(customAgent, dialect),
    ...definitions,
  }
}

/**
 * Returns the JSON Schema of a container's sub-agent. It is a reference to an agent, or, only in
 * the adk dialect, a complete agent.
 */
const positionSchema = (dialect: Dialect): SchemaObject =>
  dialect === "graph-compose"
    ? ref("reference")
    : cases([[hasAny(["agentId", "agent_id"]), ref("reference")]], ref("agent"))

function toolSchemas(dialect: Dialect): SchemaObject {
  const types = toolTypes[dialect]
  const isTool = (type: string): ValueSchema => ({
    properties: { type: { const: type } },
    required: ["type"],
  })
  return {
    tool: {
      ...listed(["type"], Object.keys(types)),
      ...cases(
        Object.keys(types).map((type) => [isTool(type), ref(type)] as const),
        false,
      ),
    },
    ...Object.fromEntries(
      Object.entries(types).map(([type, description]) => [
        type,
        objectSchema(description, dialect),
      ]),
    ),
    toolUse:
      dialect === "graph-compose"
        ? { type: "string" }
        : {
            anyOf: [
              { type: "string", minLength: 1 },
              { type: "object", required: ["name"] },
              { type: "object", properties: { type: { const: "Toolset" } }, required: ["type"] },
            ],
          },
  }
}
