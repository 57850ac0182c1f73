import type { AgentConfig } from "../config/agent-config.js"
import { activityConfig, defaultActivity } from "../fields/activity-config.js"
import { condition } from "../fields/condition.js"
import { anything, data } from "../fields/data.js"
import { budget } from "../fields/budget.js"
import { duration } from "../fields/duration.js"
import { expiryFields, expiryOf } from "../fields/expiry.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { httpConfig } from "../fields/http-config.js"
import { noOutputKey, outputKey } from "../fields/output-key.js"
import { count, filledText, flag, oneOf, text } from "../fields/plain-values.js"
import { readFields } from "../fields/read-fields.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf } from "../../diagnostics/config-location.js"
import { useService } from "../context/service-uses.js"
import { writtenClass } from "./values/agent-class.js"
import { agentName } from "./values/agent-name.js"
import {
  agentCallbackFields,
  callbackFields,
  hooksOf,
  pluralCallbacks,
} from "./values/callbacks.js"
import {
  contentText,
  generateContentConfig,
  instruction,
  modelName,
  schema,
} from "./values/llm-agent-values.js"
import { neverSupported } from "./values/never-supported.js"
import { refuseSchemaBesideTools } from "./tools/schema-beside-tools.js"
import { handoffTargets, positions, runByCode } from "./references/sub-agents.js"
import { toolUses } from "./tools/tool-uses.js"
import { whoAndWhere, workflowReaders, workflowTables } from "./graphs/workflow-fields.js"

type FieldValues = Readonly<Record<string, unknown>>

/** Reads one agent of a known class. */
export type AgentReader = (object: FieldValues, at: ParserLocation) => AgentConfig

/** `when` is read where the agent stands in a container. */
const common = {
  name: required(agentName, 'Add a name, such as "name": "writer".'),
  agentClass: optional(anything),
  description: optional(text),
  when: optional(anything),
  ...agentCallbackFields,
}

const names = {
  id: "name",
  type: "agentClass",
  beforeAgentCallbacks: "beforeAgentCallback",
  afterAgentCallbacks: "afterAgentCallback",
}

const synonyms = { agents: "subAgents", children: "subAgents", condition: "when", if: "when" }

const someAgents = "Add at least one sub-agent."

const llmAgent = fieldTable(
  "an LlmAgent",
  {
    ...common,
    ...callbackFields,
    ...neverSupported,
    model: optional(modelName),
    modelCode: optional(modelName),
    httpConfig: optional(httpConfig),
    instruction: optional(instruction),
    staticInstruction: optional(contentText),
    globalInstruction: optional(instruction),
    includeContents: optional(oneOf(["default", "none"])),
    outputKey: optional(outputKey),
    outputSchema: optional(schema),
    inputSchema: optional(schema),
    structuredOutputWithTools: optional(flag),
    generateContentConfig: optional(generateContentConfig),
    disallowTransferToParent: optional(flag),
    disallowTransferToPeers: optional(flag),
    tools: optional(toolUses),
    subAgents: optional(handoffTargets),
    activityConfig: optional(activityConfig),
    ...expiryFields,
    maxDuration: optional(duration),
    budget: optional(budget),
  },
  {
    aliases: { ...names, ...pluralCallbacks },
    synonyms: {
      ...synonyms,
      instructions: "instruction",
      http: "httpConfig",
      timeout: "activityConfig",
    },
    strict: true,
  },
)

const humanAgent = fieldTable(
  "a HumanAgent",
  { ...common, prompt: optional(text), outputKey: optional(outputKey), ...expiryFields },
  {
    aliases: names,
    synonyms: { ...synonyms, question: "prompt", timeout: "expiresIn" },
    strict: true,
  },
)

const sequentialAgent = fieldTable(
  "a SequentialAgent",
  { ...common, subAgents: required(positions, someAgents), outputKey: optional(outputKey) },
  { aliases: names, synonyms, strict: true },
)

const parallelAgent = fieldTable(
  "a ParallelAgent",
  {
    ...common,
    subAgents: required(positions, someAgents),
    outputKey: optional(noOutputKey),
    failurePolicy: optional(oneOf(["fail-fast", "collect", "wait-all"])),
    maxConcurrency: optional(count),
  },
  { aliases: names, synonyms: { ...synonyms, concurrency: "maxConcurrency" }, strict: true },
)

const loopAgent = fieldTable(
  "a LoopAgent",
  {
    ...common,
    subAgents: required(positions, someAgents),
    maxIterations: optional(count),
    loopExitCondition: optional(condition),
    outputKey: optional(outputKey),
  },
  {
    aliases: { ...names, maxAgentLoopIterations: "maxIterations" },
    synonyms: { ...synonyms, exitCondition: "loopExitCondition", until: "loopExitCondition" },
    strict: true,
  },
)

/** A class of the user's own may have fields of any name: {@link isFieldOfClass}. */
const customAgent = fieldTable(
  "a CustomAgent",
  { ...common, service: optional(filledText), subAgents: optional(runByCode) },
  { aliases: names, synonyms: { ...synonyms, function: "service", code: "service" } },
)

/** Fields of the user's own class: its service gets them. */
const isFieldOfClass = ([key, value]: readonly [string, unknown]): boolean =>
  !customAgent.spellings.has(key) && value !== null

const siblings = [
  llmAgent,
  humanAgent,
  customAgent,
  sequentialAgent,
  parallelAgent,
  loopAgent,
  ...workflowTables,
]

/** Every spelling of every field that some agent has. */
export const agentFieldNames: ReadonlySet<string> = new Set(
  siblings.flatMap(({ spellings }) => [...spellings.keys()]),
)

export const agentReaders = {
  LlmAgent(object, at): AgentConfig {
    const read = readFields(object, llmAgent, at, siblings)
    const { values } = read
    refuseSchemaBesideTools(read)
    return {
      type: "LlmAgent",
      ...whoAndWhere(read, at),
      model: values.model ?? values.modelCode,
      endpoint: values.httpConfig,
      instructions: null,
      outputKey: values.outputKey,
      tools: values.tools?.map(({ name }) => name) ?? [],
      ownTools: values.tools?.flatMap(({ own }) => own ?? []) ?? [],
      activity: values.activityConfig ?? defaultActivity,
      ...expiryOf(values),
      ...(values.maxDuration !== null && { maxDurationMs: values.maxDuration }),
      ...(values.budget !== null && { budget: values.budget }),
      subAgents: values.subAgents ?? [],
      disallowTransferToParent: values.disallowTransferToParent ?? false,
      disallowTransferToPeers: values.disallowTransferToPeers ?? false,
      adk: {
        instruction: typeof values.instruction === "string" ? values.instruction : null,
        staticInstruction: values.staticInstruction,
        globalInstruction:
          typeof values.globalInstruction === "string" ? values.globalInstruction : null,
        includeContents: values.includeContents ?? "default",
        outputSchema: values.outputSchema,
        inputSchema: values.inputSchema,
        structuredOutputWithTools: values.structuredOutputWithTools ?? false,
        generateContentConfig: values.generateContentConfig,
        ...(values.instruction !== null &&
          typeof values.instruction === "object" && {
            instructionService: values.instruction.service,
          }),
        ...(values.globalInstruction !== null &&
          typeof values.globalInstruction === "object" && {
            globalInstructionService: values.globalInstruction.service,
          }),
        hooks: hooksOf(values),
      },
    }
  },
  HumanAgent(object, at) {
    const read = readFields(object, humanAgent, at, siblings)
    const { prompt, outputKey } = read.values
    return {
      type: "HumanAgent",
      ...whoAndWhere(read, at),
      prompt,
      outputKey,
      ...expiryOf(read.values),
    }
  },
  /** The class of an agent that is no class of ADK names its service. */
  CustomAgent(object, at) {
    const { value: written, field } = writtenClass(object)
    const className = typeof written === "string" && written.includes(".") ? written : null
    const own = className === null ? [] : Object.entries(object).filter(isFieldOfClass)
    const fields = own.length === 0 ? null : data(Object.fromEntries(own), at)
    const read = readFields(
      className === null
        ? object
        : Object.fromEntries(Object.entries(object).filter((entry) => !isFieldOfClass(entry))),
      customAgent,
      at,
      siblings,
    )
    const service = read.values.service ?? className
    if (service !== null)
      useService(
        service,
        "agent",
        read.values.service === null ? fieldOf(at, field) : read.at("service"),
      )
    else if (read.values.name !== null) useService(read.values.name, "agent", read.at("name"))
    return {
      type: "CustomAgent",
      ...whoAndWhere(read, at),
      service,
      fields,
      subAgents: read.values.subAgents ?? [],
      hooks: hooksOf(read.values),
    }
  },
  SequentialAgent(object, at) {
    const read = readFields(object, sequentialAgent, at, siblings)
    return {
      type: "SequentialAgent",
      ...whoAndWhere(read, at),
      subAgents: read.values.subAgents ?? [],
      outputKey: read.values.outputKey,
      hooks: hooksOf(read.values),
    }
  },
  ParallelAgent(object, at) {
    const read = readFields(object, parallelAgent, at, siblings)
    const { subAgents, failurePolicy, maxConcurrency } = read.values
    return {
      type: "ParallelAgent",
      ...whoAndWhere(read, at),
      subAgents: subAgents ?? [],
      outputKey: null,
      failurePolicy,
      maxConcurrency,
      hooks: hooksOf(read.values),
    }
  },
  LoopAgent(object, at) {
    const read = readFields(object, loopAgent, at, siblings)
    const { subAgents, maxIterations, loopExitCondition, outputKey } = read.values
    return {
      type: "LoopAgent",
      ...whoAndWhere(read, at),
      subAgents: subAgents ?? [],
      outputKey,
      maxIterations,
      exitCondition: loopExitCondition,
      hooks: hooksOf(read.values),
    }
  },
  Workflow: (object, at) => workflowReaders.Workflow(object, at, siblings),
  FunctionNode: (object, at) => workflowReaders.FunctionNode(object, at, siblings),
  RouterNode: (object, at) => workflowReaders.RouterNode(object, at, siblings),
  JoinNode: (object, at) => workflowReaders.JoinNode(object, at, siblings),
  ToolNode: (object, at) => workflowReaders.ToolNode(object, at, siblings),
} as const satisfies Record<string, AgentReader>
