import type { FieldDescriptions, FieldSpelling, MissingField } from "./field-description.js"

/**
 * Returns the part of a field description that makes the field required. `fix` is the suggestion in
 * the error message for a missing field.
 */
export const required = (
  fix: string,
  more: Pick<MissingField, "because" | "unless"> = {},
): Pick<FieldSpelling, "missing"> => ({ missing: { code: "missing_field", fix, ...more } })

/**
 * Value of `dialects` in a field description. The field is optional and has the same name in both
 * dialects.
 */
export const bothDialects = { "graph-compose": {}, adk: {} } as const

/**
 * Returns the value of `dialects` in a field description. The field has the same names in both
 * dialects.
 */
export const inBothDialects = <const Spelling extends FieldSpelling>(spelling: Spelling) =>
  ({ "graph-compose": spelling, adk: spelling }) as const

/** Describes the config fields that every agent has. */
export const commonFields = {
  id: {
    type: "agentId",
    defaultText: "required",
    description: "The id of the agent.",
    dialects: {
      "graph-compose": {
        synonyms: ["name"],
        ...required('Add an id, such as "id": "writer".'),
      },
      adk: { name: "name", aliases: ["id"], ...required('Add a name, such as "name": "writer".') },
    },
  },
  agentClass: {
    type: "agentClass",
    defaultText: "required",
    description: "The type of the agent.",
    dialects: {
      "graph-compose": { name: "type" },
      adk: { aliases: ["type"] },
    },
  },
  description: {
    type: "text",
    description: "The description of the agent. Models that can hand over to the agent receive it.",
    dialects: bothDialects,
  },
} as const satisfies FieldDescriptions

/**
 * Describes the config field `when` (adk dialect only), the condition under which an agent in a
 * container runs.
 */
export const whenField = {
  when: {
    type: "unchecked",
    description:
      "A [condition](conditions.md) on an agent inside a container. If it is false, the agent is skipped.",
    dialects: { adk: { synonyms: ["condition", "if"] } },
  },
} as const satisfies FieldDescriptions

const callbackDescription =
  "One or more [callbacks](#host-functions-in-the-adk-dialect), in the order of their calls."

/** Describes the config fields for the callbacks before and after the turn of an agent. */
export const agentCallbackFields = {
  beforeAgent: {
    type: "callbacks",
    description: callbackDescription,
    dialects: { adk: { name: "beforeAgentCallback", aliases: ["beforeAgentCallbacks"] } },
  },
  afterAgent: {
    type: "callbacks",
    description: callbackDescription,
    dialects: { adk: { name: "afterAgentCallback", aliases: ["afterAgentCallbacks"] } },
  },
} as const satisfies FieldDescriptions

/**
 * Describes the config fields for the callbacks around the model calls and tool calls of an
 * LlmAgent.
 */
export const callCallbackFields = {
  beforeModel: {
    type: "callbacks",
    description: callbackDescription,
    dialects: { adk: { name: "beforeModelCallback", aliases: ["beforeModelCallbacks"] } },
  },
  afterModel: {
    type: "callbacks",
    description: callbackDescription,
    dialects: { adk: { name: "afterModelCallback", aliases: ["afterModelCallbacks"] } },
  },
  onModelError: {
    type: "callbacks",
    description: callbackDescription,
    dialects: { adk: { name: "onModelErrorCallback", aliases: ["onModelErrorCallbacks"] } },
  },
  beforeTool: {
    type: "callbacks",
    description: callbackDescription,
    dialects: { adk: { name: "beforeToolCallback", aliases: ["beforeToolCallbacks"] } },
  },
  afterTool: {
    type: "callbacks",
    description: callbackDescription,
    dialects: { adk: { name: "afterToolCallback", aliases: ["afterToolCallbacks"] } },
  },
  onToolError: {
    type: "callbacks",
    description: callbackDescription,
    dialects: { adk: { name: "onToolErrorCallback", aliases: ["onToolErrorCallbacks"] } },
  },
} as const satisfies FieldDescriptions

/**
 * Describes the config fields that set when requests to a person expire, and the effect of the
 * expiry.
 */
export const expiryFields = {
  expiresInMs: {
    type: "duration",
    defaultText: "never",
    description:
      "A [duration](#durations) after which approval and input requests of the agent [expire](#requests-that-expire).",
    dialects: inBothDialects({ name: "expiresIn" }),
  },
  onExpiry: {
    type: "choice",
    choices: ["reject", "fail", "continue"],
    defaultText: "depends on the kind of request",
    description:
      'What happens when a request of the agent expires: `"reject"`, `"fail"` or `"continue"`.',
    dialects: bothDialects,
  },
} as const satisfies FieldDescriptions
