import type { ObjectDescription } from "./field-description.js"

/**
 * Describes the config fields for the options of one node in a Workflow with `triggering: "each"`.
 */
export const nodeOptions = {
  name: "nodeOptions",
  fields: {
    retryConfig: {
      type: "nodeRetry",
      description: "Repeats a failed attempt. Without it, the first failure fails the Workflow.",
      dialects: { adk: { synonyms: ["retry", "retryPolicy"] } },
    },
    timeout: {
      type: "seconds",
      description: "Maximum duration of one attempt, in seconds.",
      dialects: { adk: {} },
    },
    rerunOnResume: {
      type: "flag",
      defaultText: "`false`",
      description:
        "Whether the node runs again after its questions were answered. Without it, the answer is the output of the node.",
      dialects: { adk: {} },
    },
    waitForOutput: {
      type: "flag",
      defaultText: "`false`",
      description: "Whether a run without an output and without a route triggers no other node.",
      dialects: { adk: {} },
    },
    inputSchema: {
      type: "jsonSchema",
      description: "JSON schema of the input. A violation fails the node.",
      dialects: { adk: {} },
    },
    outputSchema: {
      type: "jsonSchema",
      description: "JSON schema of the output. A violation fails the node.",
      dialects: { adk: {} },
    },
    stateSchema: {
      type: "jsonSchema",
      description: "JSON schema of the state keys that the node may write.",
      dialects: { adk: {} },
    },
    parallelWorker: {
      type: "flag",
      defaultText: "`false`",
      description:
        "Whether the node runs once for each item of its input. The output is the list of outputs.",
      dialects: { adk: {} },
    },
    maxParallelWorkers: {
      type: "count",
      defaultText: "`8`",
      description: "Maximum number of items that run at the same time. Needs `parallelWorker`.",
      dialects: { adk: {} },
    },
    task: {
      type: "jsonSchema",
      description:
        'JSON schema of the result of an LlmAgent\'s task. The agent works until it calls the tool `finish_task` with the result. A text without a call asks the user. The class `LlmAgent` sets this option for `mode: "task"`.',
      dialects: { adk: {} },
    },
    seesConversation: {
      type: "flag",
      defaultText: "`false`",
      description:
        "Whether an LlmAgent sees the conversation in addition to its input. Without it, the agent sees only its input.",
      dialects: { adk: {} },
    },
    returnsNodeResult: {
      type: "flag",
      defaultText: "`false`",
      description:
        "Whether the host function returns an object with `output`, `route`, `questions` or `failure` instead of the output. The classes of `agent-statecharts/adk` set this option.",
      dialects: { adk: {} },
    },
    beforeNode: {
      type: "callbacks",
      description:
        "Callbacks before each run. A callback that returns `{value}` replaces the run; the value is the output.",
      dialects: { adk: { name: "beforeNodeCallbacks" } },
    },
    afterNode: {
      type: "callbacks",
      description:
        "Callbacks after each run. A callback that returns `{value}` replaces the output.",
      dialects: { adk: { name: "afterNodeCallbacks" } },
    },
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription

/** Describes the config fields for the retries of a graph node, with the field names of ADK. */
export const nodeRetry = {
  name: "a retryConfig",
  fields: {
    maxAttempts: {
      type: "count",
      default: 5,
      description: "Maximum attempts, including the first one.",
      dialects: { adk: { synonyms: ["attempts", "retries"] } },
    },
    initialDelay: {
      type: "amount",
      default: 1,
      description: "Delay before the second attempt, in seconds.",
      dialects: { adk: {} },
    },
    maxDelay: {
      type: "amount",
      default: 60,
      description: "Maximum delay, in seconds.",
      dialects: { adk: {} },
    },
    backoffFactor: {
      type: "factor",
      default: 2,
      description: "Factor by which each further delay increases, 1 or greater.",
      dialects: { adk: {} },
    },
    jitter: {
      type: "amount",
      default: 1,
      description:
        "Random part of the delay. With 0.5, a delay is between half and one and a half times its value.",
      dialects: { adk: {} },
    },
    exceptions: {
      type: "toolNames",
      description: "Names of the errors that are retried. Without it, every error is retried.",
      dialects: { adk: {} },
    },
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription
