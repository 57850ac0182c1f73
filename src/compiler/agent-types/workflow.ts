import { bothDialects, inBothDialects, required } from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

/**
 * Describes the config fields for the settings of a workflow. The settings are also compile
 * options.
 */
export const settingFields = {
  maxOrchestrationCycles: {
    type: "count",
    defaultText: "`25`",
    description: "Maximum cycles of the root agent since the last human input.",
    dialects: inBothDialects({ synonyms: ["maxCycles"] }),
  },
  maxModelCalls: {
    type: "count",
    defaultText: "`500`",
    description: "Maximum model calls of a run, including the calls of AgentTool targets.",
    dialects: bothDialects,
  },
  maxModelCallsPerTurn: {
    type: "count",
    defaultText: "`100`",
    description: "Maximum model calls in one turn of an agent.",
    dialects: bothDialects,
  },
  maxHandoffs: {
    type: "count",
    defaultText: "`25`",
    description: "Maximum handoffs in one cycle.",
    dialects: bothDialects,
  },
  maxDuration: {
    type: "duration",
    description:
      "Maximum [duration](#durations) of a run, including the time that it waits for people. In `adk`, the maximum applies to each invocation. A run that exceeds it stops its work in progress, keeps its finished work and ends with status `limit`. A restart does not extend the duration.",
    dialects: bothDialects,
  },
  budget: {
    type: "budget",
    description: "Maximum [tokens, cost or time](#budgets) of the model calls of a run.",
    dialects: bothDialects,
  },
  subAgentExitFlow: {
    type: "choice",
    choices: ["workflow", "agent"],
    defaultText: '`"workflow"`',
    description:
      'Defines the effect of `exitFlow` in a response to a sub-agent. `"workflow"` ends the workflow. `"agent"` only ends the turn of the sub-agent. Branches of parallel blocks and nodes of Workflow graphs are also sub-agents.',
    dialects: bothDialects,
  },
  onConditionError: {
    type: "choice",
    choices: ["fail", "continue"],
    defaultText: '`"fail"`',
    description:
      'The effect of a condition that fails at run time. With `"fail"`, the run fails. With `"continue"`, the condition counts as false.',
    dialects: bothDialects,
  },
  stateMerge: {
    type: "stateMerge",
    defaultText: "`{}`",
    description:
      'Defines for each key how the changes of parallel branches are merged: `"replace"` (keeps the value of the last branch), `"append"`, `"add"`, `"max"`, `"min"` or `"union"`.',
    dialects: bothDialects,
  },
} as const satisfies FieldDescriptions

/**
 * Describes the config fields of a workflow that are neither settings nor agents, such as the
 * initial state.
 */
const workflowFields = {
  initialUserInput: {
    type: "text",
    description: "The default prompt of a run.",
    dialects: inBothDialects({ synonyms: ["prompt", "userInput", "input"] }),
  },
  state: {
    type: "state",
    defaultText: "`{}`",
    description: "The initial session state: an object with any JSON data.",
    dialects: inBothDialects({ synonyms: ["initialState"] }),
  },
  context: {
    type: "data",
    defaultText: "`{}`",
    description:
      "Data for [templates](#templates). The `context` of a workflow graph has priority.",
    dialects: bothDialects,
  },
  metadata: {
    type: "unchecked",
    description: "Notes that have no effect on a run.",
    dialects: bothDialects,
  },
  dialect: {
    type: "unchecked",
    defaultText: "detected",
    description: '`"graph-compose"` or `"adk"`.',
    dialects: bothDialects,
  },
  $schema: {
    type: "unchecked",
    description: "The [JSON Schema](#json-schema) of the config, for editors.",
    dialects: bothDialects,
  },
  plugins: {
    type: "plugins",
    description: "[Plugins](#host-functions-in-the-adk-dialect) of the workflow.",
    dialects: { adk: {} },
  },
} as const satisfies FieldDescriptions

const globalTools = {
  globalTools: {
    type: "toolList",
    description: "All [tools](#tools).",
    dialects: bothDialects,
  },
} as const satisfies FieldDescriptions

/** Describes the config fields of a workflow with a list of agents. */
export const workflowDefinition = {
  name: "a workflow",
  fields: {
    rootAgentId: {
      type: "reference",
      defaultText: "required",
      description: "The agent with which a run starts.",
      dialects: inBothDialects({
        synonyms: ["root", "rootAgent", "root_agent"],
        ...required("Add the id of the agent that the workflow starts with."),
      }),
    },
    agents: {
      type: "agentList",
      defaultText: "required",
      description: "All agents, except those that are defined inside an LlmAgent.",
      dialects: inBothDialects(required("Add the list of agents of the workflow.")),
    },
    globalTools: {
      ...globalTools.globalTools,
      dialects: inBothDialects({ synonyms: ["tools"] }),
    },
    description: {
      type: "text",
      description: "A note that has no effect on a run.",
      dialects: bothDialects,
    },
    ...workflowFields,
    ...settingFields,
  },
} as const satisfies ObjectDescription

/**
 * Describes the config fields of a workflow that can be next to the fields of its root agent (adk
 * dialect only).
 */
export const rootAgentSettings = {
  name: "a workflow",
  fields: { ...globalTools, ...workflowFields, ...settingFields },
} as const satisfies ObjectDescription

/** Describes the config fields of an entry of `subAgents` that refers to an agent by id. */
export const agentReference = {
  name: "a reference in a container's subAgents",
  fields: {
    agentId: {
      type: "reference",
      defaultText: "required",
      description:
        "Id of an agent in `agents`. You can refer to the same agent several times. Each use has its own conversation.",
      dialects: inBothDialects({
        synonyms: ["name", "agent", "id"],
        ...required("Add the name of the agent for this position."),
      }),
    },
    when: {
      type: "condition",
      description: "A [condition](conditions.md). If it is false, the sub-agent is skipped.",
      extension: true,
      dialects: inBothDialects({ synonyms: ["if", "condition"] }),
    },
  },
} as const satisfies ObjectDescription
