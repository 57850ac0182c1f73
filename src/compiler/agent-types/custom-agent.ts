import { agentCallbackFields, commonFields, whenField } from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

const fields = {
  ...commonFields,
  ...whenField,
  ...agentCallbackFields,
  service: {
    type: "filledText",
    defaultText: "the name of the agent",
    description:
      "Name of the [host function](#host-functions-in-the-adk-dialect) that is the agent.",
    dialects: { adk: { synonyms: ["function", "code"] } },
  },
  subAgents: {
    type: "codeSubAgents",
    description: "The agents that the function can run: definitions or references.",
    dialects: { adk: { synonyms: ["agents", "children"] } },
  },
} as const satisfies FieldDescriptions

/**
 * Describes the config fields of a CustomAgent, which is a host function. Unknown fields are not an
 * error, because the user's agent class can have fields of its own.
 */
export const customAgent = {
  name: "a CustomAgent",
  fields,
} as const satisfies ObjectDescription
