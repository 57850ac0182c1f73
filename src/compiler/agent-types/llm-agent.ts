import {
  agentCallbackFields,
  bothDialects,
  callCallbackFields,
  commonFields,
  expiryFields,
  inBothDialects,
  required,
  whenField,
} from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

const fields = {
  ...commonFields,
  ...whenField,
  ...agentCallbackFields,
  ...callCallbackFields,
  endpoint: {
    type: "httpConfig",
    defaultText: "required without `model`",
    description: "[URL and method](#httpconfig) of the agent's service.",
    dialects: {
      "graph-compose": {
        name: "httpConfig",
        synonyms: ["http"],
        ...required(
          'Add {"url": "https://...", "method": "POST"}, or add "model" with the name of a model that is registered with the runner.',
          { because: "the agent has no model service", unless: "model" },
        ),
      },
      adk: { name: "httpConfig", synonyms: ["http"] },
    },
  },
  model: {
    type: "model",
    description:
      "Name of a model that is registered with the runner. The model is called if there is no `httpConfig`.",
    dialects: bothDialects,
  },
  modelCode: {
    type: "model",
    description: "The same as `model`, in the spelling of Agent Config YAML.",
    dialects: { adk: {} },
  },
  instructions: {
    type: "text",
    description:
      "The system message. With `httpConfig`, the text is sent unchanged. Without it, the text is a template: `{key}` is filled [from the state](semantics.md#models-by-name).",
    dialects: { "graph-compose": { synonyms: ["instruction", "prompt"] } },
  },
  stateInPrompt: {
    type: "flag",
    default: true,
    description:
      "Only without `httpConfig`: whether the model receives the session state in its [system message](semantics.md#models-by-name). With `false`, the instructions are sent unchanged.",
    extension: true,
    dialects: { "graph-compose": {} },
  },
  instruction: {
    type: "instruction",
    description:
      'The instructions. The text is a template that is filled from the state before each call. `{"service": "name"}` is a [host function](#host-functions-in-the-adk-dialect) that returns the text.',
    dialects: { adk: { synonyms: ["instructions"] } },
  },
  staticInstruction: {
    type: "content",
    description:
      "A fixed instruction, which is sent unchanged in the system message. The text of `instruction` is then inserted as a user message before the last messages of the user.",
    dialects: { adk: {} },
  },
  globalInstruction: {
    type: "instruction",
    description:
      'Only for the root agent. A template that is added before the instructions of every agent, or `{"service": "name"}`.',
    dialects: { adk: {} },
  },
  includeContents: {
    type: "choice",
    choices: ["default", "none"],
    default: "default",
    description:
      'With `"none"`, the agent only receives the messages of the current turn, not the history.',
    dialects: { adk: {} },
  },
  tools: {
    type: "tools",
    description: "Ids of the [tools](#tools) that the agent can call.",
    dialects: bothDialects,
  },
  outputKey: {
    type: "outputKey",
    description: "[State key](#output-keys) in which the final text of a turn is saved.",
    dialects: bothDialects,
  },
  outputSchema: {
    type: "jsonSchema",
    description:
      "JSON schema of the final text. The parsed value is saved. A blank text is neither validated nor saved. An agent with an output schema cannot hand over to another agent and cannot have tools or sub-agents ([`schema_beside_tools`](errors.md#schema_beside_tools)).",
    dialects: { adk: {} },
  },
  inputSchema: {
    type: "jsonSchema",
    description:
      "JSON schema of the input. The input of an agent that runs as an AgentTool is the arguments of the call. The input of the root agent is the user message, which must then be JSON.",
    dialects: { adk: {} },
  },
  structuredOutputWithTools: {
    type: "flag",
    default: false,
    description:
      "Allows `outputSchema` together with tools or sub-agents. If a response does not match the schema, the model can correct it once.",
    dialects: { adk: {} },
  },
  generateContentConfig: {
    type: "modelSettings",
    description:
      "Model settings that are sent to the model unchanged. Do not set `tools`, `systemInstruction` and `responseSchema` here. Use the corresponding fields of the agent instead.",
    dialects: { adk: {} },
  },
  activity: {
    type: "modelActivityConfig",
    defaultText: "one attempt",
    description: "[Timeouts and retries](#activityconfig) of the model calls.",
    dialects: inBothDialects({ name: "activityConfig", synonyms: ["timeout"] }),
  },
  routes: {
    type: "modelRoutes",
    description:
      "The [models](models.md#choose-the-model-by-conditions) that conditions choose instead of the agent's own model: objects with `when`, and `model` or `httpConfig`. The first true condition applies.",
    extension: true,
    dialects: inBothDialects({ synonyms: ["modelRoutes", "routing", "models"] }),
  },
  fallback: {
    type: "fallback",
    description:
      "The [models](resilience.md#fallback-models) that are called in this order if all attempts of the agent's own model have failed: names of models, or objects with `model` or `httpConfig`, and `on`. An agent with `httpConfig` needs fallbacks with `httpConfig`.",
    extension: true,
    dialects: inBothDialects({ synonyms: ["fallbacks", "fallbackModels"] }),
  },
  cacheMs: {
    type: "duration",
    description:
      'Time for which [responses are cached](resilience.md#cache-responses), such as `"1h"`. A model call with an equal request receives the cached response. Default: the responses are not cached.',
    extension: true,
    dialects: inBothDialects({
      name: "cache",
      synonyms: ["cacheFor", "cacheTtl", "responseCache"],
    }),
  },
  subAgents: {
    type: "handoffTargets",
    description: "The agents to which this agent can hand over: agent definitions of any type.",
    dialects: {
      "graph-compose": { synonyms: ["agents"] },
      adk: { synonyms: ["agents", "children"] },
    },
  },
  disallowTransferToParent: {
    type: "flag",
    default: false,
    description: "Prevents handoffs to the parent.",
    dialects: bothDialects,
  },
  disallowTransferToPeers: {
    type: "flag",
    default: false,
    description: "Prevents handoffs to the other sub-agents of the parent.",
    dialects: bothDialects,
  },
  ...expiryFields,
  maxDurationMs: {
    type: "duration",
    description:
      "Maximum [duration](#durations) of a turn, including tools, retries and waiting for people. A longer turn fails with [`deadline_passed`](errors.md#deadline_passed).",
    dialects: inBothDialects({ name: "maxDuration" }),
  },
  budget: {
    type: "budget",
    description:
      "Maximum [tokens, cost or time](#budgets) of the model calls in all turns of the agent.",
    extension: true,
    dialects: bothDialects,
  },
  compaction: {
    type: "compaction",
    description: "Replaces old messages with a [summary](#compaction) in long conversations.",
    extension: true,
    dialects: bothDialects,
  },
  guardrails: {
    type: "guardrails",
    description: "[Checks](#guardrails) of the agent's input and of its final texts.",
    extension: true,
    dialects: inBothDialects({ synonyms: ["guardrail", "inputGuardrails", "outputGuardrails"] }),
  },
} as const satisfies FieldDescriptions

export const llmAgent = {
  name: "an LlmAgent",
  fields,
  strictIn: ["adk"],
} as const satisfies ObjectDescription
