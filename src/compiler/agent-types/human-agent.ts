import { both, commonFields, expiryFields, agentCallbackFields, whenField } from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

const fields = {
  ...commonFields,
  ...whenField,
  ...agentCallbackFields,
  prompt: {
    type: "text",
    description: "The question. The text is shown unchanged.",
    dialects: { "graph-compose": { synonyms: ["question"] }, adk: { synonyms: ["question"] } },
  },
  outputKey: {
    type: "outputKey",
    description: "State key in which the answer is saved, as text or as an object.",
    dialects: both,
  },
  expiresInMs: {
    ...expiryFields.expiresInMs,
    description:
      "A [duration](#durations) after which the request [expires](#requests-that-expire).",
    dialects: {
      "graph-compose": { name: "expiresIn", synonyms: ["timeout"] },
      adk: { name: "expiresIn", synonyms: ["timeout"] },
    },
  },
  onExpiry: { ...expiryFields.onExpiry, defaultText: '`"fail"`' },
} as const satisfies FieldDescriptions

export const humanAgent = {
  name: "a HumanAgent",
  fields,
  strictIn: ["adk"],
} as const satisfies ObjectDescription
