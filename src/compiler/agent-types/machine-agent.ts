import { agentCallbackFields, commonFields, whenField } from "./common.js"
import type { ObjectDescription } from "./field-description.js"

/**
 * Describes the config fields of a MachineAgent, which is an XState machine that runs as an agent
 * (docs/semantics.md#machine-agents).
 */
export const machineAgent = {
  name: "a MachineAgent",
  fields: {
    ...commonFields,
    ...whenField,
    ...agentCallbackFields,
    service: {
      type: "machineService",
      defaultText: "the name of the agent",
      description: "Name of the XState machine, which is registered as a service.",
      dialects: { adk: {} },
    },
    machine: {
      type: "userMachine",
      description:
        "The states and transitions of the machine, for drawings and checks. The class `MachineAgent` writes them.",
      dialects: { adk: {} },
    },
    input: {
      type: "machineInput",
      description:
        "The input of the machine: a list of state keys, or an object with a state key for each field of the input.",
      dialects: { adk: {} },
    },
    outputKey: {
      type: "outputKey",
      description: "State key in which the output of the machine is saved.",
      dialects: { adk: {} },
    },
    maxAgentRuns: {
      type: "count",
      defaultText: "no limit",
      description:
        "Maximum number of agents that one turn of the machine starts. If the machine starts more, the run ends with status `limit`. `check` uses this number for its bounds.",
      dialects: { adk: {} },
    },
    subAgents: {
      type: "codeSubAgents",
      description: "The agents that the machine can invoke by name: definitions or references.",
      dialects: { adk: { synonyms: ["agents", "children"] } },
    },
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription
