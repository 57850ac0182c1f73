import type { AgentConfig } from "../config/agent-config.js"
import { activityConfig, defaultActivity } from "../fields/activity-config.js"
import { condition } from "../fields/condition.js"
import { budget } from "../fields/budget.js"
import type { Named } from "../config/agent-config.js"
import { duration } from "../fields/duration.js"
import { expiryFields, expiryOf } from "../fields/expiry.js"
import type { Reader } from "../fields/field-table.js"
import { fieldTable, optional, required } from "../fields/field-table.js"
import { httpConfig } from "../fields/http-config.js"
import { identifier, reference } from "../fields/identifier.js"
import { noOutputKey, outputKey } from "../fields/output-key.js"
import { anything } from "../fields/data.js"
import { count, filledText, flag, list, oneOf, text } from "../fields/plain-values.js"
import { readFields, type ReadFields } from "../fields/read-fields.js"
import type { ParserLocation } from "../context/parser-context.js"
import { fieldOf } from "../../diagnostics/config-location.js"
import { handoffTargets, positions, referenceFields } from "./sub-agents.js"

type FieldValues = Readonly<Record<string, unknown>>

/** Reads one agent of a known type. */
export type AgentReader = (object: FieldValues, at: ParserLocation) => AgentConfig

const common = {
  type: optional(anything),
  id: required(identifier, 'Add an id, such as "id": "writer".'),
  description: optional(text),
}

const someAgents = "Add at least one sub-agent."

const names: Reader<readonly Named[]> = (value, at) =>
  list(value, at)?.flatMap((entry, index) => reference(entry, fieldOf(at, index)) ?? []) ?? null

const llmAgent = fieldTable(
  "an LlmAgent",
  {
    ...common,
    httpConfig: required(
      httpConfig,
      'Add {"url": "https://...", "method": "POST"}, or add "model" with the name of a model that is registered with the runner.',
      { because: "the agent has no model service", unless: "model" },
    ),
    model: optional(filledText),
    instructions: optional(text),
    tools: optional(names),
    outputKey: optional(outputKey),
    activityConfig: optional(activityConfig),
    subAgents: optional(handoffTargets),
    disallowTransferToParent: optional(flag),
    disallowTransferToPeers: optional(flag),
    ...expiryFields,
    maxDuration: optional(duration),
    budget: optional(budget),
  },
  {
    synonyms: {
      name: "id",
      instruction: "instructions",
      prompt: "instructions",
      http: "httpConfig",
      agents: "subAgents",
      timeout: "activityConfig",
    },
  },
)

const humanAgent = fieldTable(
  "a HumanAgent",
  { ...common, prompt: optional(text), outputKey: optional(outputKey), ...expiryFields },
  { synonyms: { name: "id", question: "prompt", timeout: "expiresIn" } },
)

const sequentialAgent = fieldTable(
  "a SequentialAgent",
  { ...common, subAgents: required(positions, someAgents), outputKey: optional(outputKey) },
  { synonyms: { name: "id", agents: "subAgents" } },
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
  { synonyms: { name: "id", agents: "subAgents", concurrency: "maxConcurrency" } },
)

const loopAgent = fieldTable(
  "a LoopAgent",
  {
    ...common,
    subAgents: required(positions, someAgents),
    maxAgentLoopIterations: {
      read: count,
      missing: {
        code: "missing_maximum",
        because: "a loop needs a maximum number of iterations",
        fix: "Add a maximum that ends the loop in the worst case, for example 10.",
      },
    },
    loopExitCondition: optional(condition),
    outputKey: optional(outputKey),
  },
  {
    synonyms: {
      name: "id",
      agents: "subAgents",
      maxIterations: "maxAgentLoopIterations",
      max_iterations: "maxAgentLoopIterations",
      condition: "loopExitCondition",
      exitCondition: "loopExitCondition",
      until: "loopExitCondition",
    },
  },
)

const siblings = [llmAgent, humanAgent, sequentialAgent, parallelAgent, loopAgent, referenceFields]

export const agentReaders = {
  LlmAgent(object, at) {
    const read = readFields(object, llmAgent, at, siblings)
    const { values } = read
    return {
      type: "LlmAgent",
      ...whoAndWhere(read, at),
      model: values.model,
      endpoint: values.httpConfig,
      instructions: values.instructions,
      outputKey: values.outputKey,
      tools: values.tools ?? [],
      activity: values.activityConfig ?? defaultActivity,
      ...expiryOf(values),
      ...(values.maxDuration !== null && { maxDurationMs: values.maxDuration }),
      ...(values.budget !== null && { budget: values.budget }),
      subAgents: values.subAgents ?? [],
      disallowTransferToParent: values.disallowTransferToParent ?? false,
      disallowTransferToPeers: values.disallowTransferToPeers ?? false,
      ownTools: [],
      adk: null,
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
  SequentialAgent(object, at) {
    const read = readFields(object, sequentialAgent, at, siblings)
    return {
      type: "SequentialAgent",
      ...whoAndWhere(read, at),
      subAgents: read.values.subAgents ?? [],
      outputKey: read.values.outputKey,
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
    }
  },
  LoopAgent(object, at) {
    const read = readFields(object, loopAgent, at, siblings)
    const { subAgents, maxAgentLoopIterations, loopExitCondition, outputKey } = read.values
    return {
      type: "LoopAgent",
      ...whoAndWhere(read, at),
      subAgents: subAgents ?? [],
      outputKey,
      maxIterations: maxAgentLoopIterations,
      exitCondition: loopExitCondition,
    }
  },
} as const satisfies Record<string, AgentReader>

const whoAndWhere = (read: ReadFields<typeof common>, at: ParserLocation) => ({
  id: read.values.id,
  description: read.values.description,
  at,
  fieldAt: read.at,
})
