import { bothDialects, commonFields, inBothDialects, required, whenField } from "./common.js"
import type { ObjectDescription } from "./field-description.js"

const oneTarget = required(
  'Add "workflow" with the name of a registered workflow, or "workflowFile" with the path of a file.',
  { unless: "workflowFile" },
)

/**
 * Describes the config fields of an agent that calls another workflow
 * (docs/semantics.md#calls-of-workflows).
 */
export const workflowAgent = {
  name: "a WorkflowAgent",
  fields: {
    ...commonFields,
    ...whenField,
    workflow: {
      type: "calledWorkflow",
      defaultText: "required without `workflowFile`",
      description:
        "Name of the workflow, which the runner registers under [`workflows`](calling-workflows.md). A program can also pass a compiled chart.",
      dialects: inBothDialects(oneTarget),
    },
    workflowFile: {
      type: "workflowFile",
      description:
        "Path of the file with the workflow, relative to this file and inside its folder. The file may have either dialect.",
      dialects: inBothDialects({ synonyms: ["file", "path", "configPath"] }),
    },
    prompt: {
      type: "text",
      defaultText: "the last user message",
      description:
        "The message that starts the child run. A [template](#prompts-of-a-humanagent): `{key}` inserts a value of the session state.",
      dialects: bothDialects,
    },
    input: {
      type: "machineInput",
      description:
        'The initial state of the child run. A list of state keys copies these keys. An object such as `{"topic": "subject"}` sets `topic` of the child run to the value of the state key `subject`. A graph receives the object as its `context`.',
      dialects: bothDialects,
    },
    outputKey: {
      type: "outputKey",
      description: "State key in which the result of the child run is saved.",
      dialects: bothDialects,
    },
    output: {
      type: "choice",
      choices: ["text", "state"],
      default: "text",
      description:
        'The result that is saved under `outputKey`. `"text"`: the final text of the child run. `"state"`: its whole state as an object.',
      dialects: bothDialects,
    },
    maxModelCalls: {
      type: "count",
      defaultText: "that of the workflow",
      description:
        "Maximum number of model calls of the child run. If the called workflow has a lower maximum, the lower one applies.",
      dialects: bothDialects,
    },
    maxDurationMs: {
      type: "duration",
      description:
        "Maximum [duration](#durations) of the child run, including the time that people take to answer. A longer child run is cancelled, and the agent fails with [`deadline_passed`](errors.md#deadline_passed).",
      dialects: inBothDialects({ name: "maxDuration", synonyms: ["timeout"] }),
    },
    budget: {
      type: "budget",
      description: "Maximum [tokens, cost or time](#budgets) of the model calls of the child run.",
      dialects: bothDialects,
    },
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription
