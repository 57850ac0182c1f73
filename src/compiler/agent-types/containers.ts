import {
  agentCallbackFields,
  bothDialects,
  commonFields,
  inBothDialects,
  required,
  whenField,
} from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

const containerFields = {
  ...commonFields,
  ...whenField,
  ...agentCallbackFields,
  subAgents: {
    type: "positions",
    defaultText: "required",
    description: "The agents that the container runs.",
    dialects: {
      "graph-compose": { synonyms: ["agents"], ...required("Add at least one sub-agent.") },
      adk: { synonyms: ["agents", "children"], ...required("Add at least one sub-agent.") },
    },
  },
} as const satisfies FieldDescriptions

const outputKey = {
  type: "outputKey",
  description:
    "State key in which the text of the last sub-agent is saved. A ParallelAgent cannot have one ([`output_key_on_parallel`](errors.md#output_key_on_parallel)).",
  dialects: bothDialects,
} as const

export const sequentialAgent = {
  name: "a SequentialAgent",
  fields: { ...containerFields, outputKey },
  strictIn: ["adk"],
} as const satisfies ObjectDescription

export const parallelAgent = {
  name: "a ParallelAgent",
  fields: {
    ...containerFields,
    outputKey: { type: "noOutputKey", description: "Not allowed.", dialects: bothDialects },
    failurePolicy: {
      type: "choice",
      choices: ["fail-fast", "collect", "wait-all"],
      default: "fail-fast",
      description:
        'The effect of a failed branch. `"fail-fast"` cancels the other branches, and the run fails. `"collect"` saves the failure under `branch_errors`, and the run continues. `"wait-all"` waits for the other branches, and then the run fails.',
      extension: true,
      dialects: bothDialects,
    },
    maxConcurrency: {
      type: "count",
      defaultText: "all",
      description: "Maximum number of branches that run at the same time.",
      extension: true,
      dialects: inBothDialects({ synonyms: ["concurrency"] }),
    },
    forEach: {
      type: "forEach",
      description:
        "Runs the only sub-agent once for each item of a [list](#parallel-blocks-over-a-list).",
      extension: true,
      dialects: inBothDialects({ synonyms: ["foreach", "map"] }),
    },
    completion: {
      type: "completion",
      default: "all",
      description:
        'When the block is finished ([early completion](#early-completion)). `"all"`: all branches have ended. `"first-success"`: one branch has succeeded. `{"quorum": n}`: `n` branches have succeeded.',
      extension: true,
      dialects: inBothDialects({ synonyms: ["completeWhen", "quorum"] }),
    },
    onEscalate: {
      type: "choice",
      choices: ["finish", "cancel"],
      default: "finish",
      description:
        'The effect of a sub-agent that ends with `escalate`. `"finish"`: the other branches finish. `"cancel"`: the other branches are cancelled and dropped, and the block ends. An agent deeper inside a branch never cancels the other branches.',
      extension: true,
      dialects: bothDialects,
    },
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription

export const loopAgent = {
  name: "a LoopAgent",
  fields: {
    ...containerFields,
    maxIterations: {
      type: "count",
      defaultText: "required",
      description:
        "Maximum iterations, 1 or greater ([`missing_maximum`](errors.md#missing_maximum)).",
      dialects: {
        "graph-compose": {
          name: "maxAgentLoopIterations",
          synonyms: ["maxIterations", "max_iterations"],
          missing: {
            code: "missing_maximum",
            because: "a loop needs a maximum number of iterations",
            fix: "Add a maximum number of iterations, for example 10.",
          },
        },
        adk: { aliases: ["maxAgentLoopIterations"] },
      },
    },
    exitCondition: {
      type: "condition",
      description:
        "A [condition](conditions.md) that is checked after each complete iteration. If it is true, the loop ends ([`bad_condition`](errors.md#bad_condition)).",
      dialects: {
        "graph-compose": {
          name: "loopExitCondition",
          synonyms: ["condition", "exitCondition", "until"],
        },
        adk: { name: "loopExitCondition", synonyms: ["exitCondition", "until"] },
      },
    },
    outputKey,
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription
