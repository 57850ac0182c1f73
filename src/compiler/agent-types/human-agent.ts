import {
  bothDialects,
  inBothDialects,
  commonFields,
  expiryFields,
  agentCallbackFields,
  whenField,
} from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

const fields = {
  ...commonFields,
  ...whenField,
  ...agentCallbackFields,
  prompt: {
    type: "text",
    description:
      "The question. A [template](#prompts-of-a-humanagent): `{key}` inserts a value of the session state.",
    dialects: { "graph-compose": { synonyms: ["question"] }, adk: { synonyms: ["question"] } },
  },
  choices: {
    type: "answerChoices",
    description:
      "The allowed answers: different texts, numbers or booleans. Without this field, every answer is allowed.",
    dialects: inBothDialects({ synonyms: ["options", "answers"] }),
  },
  show: {
    type: "stateKeys",
    description: "State keys whose values are shown to the person, next to the question.",
    dialects: inBothDialects({ synonyms: ["showState", "stateKeys"] }),
  },
  outputKey: {
    type: "outputKey",
    description:
      "State key in which the answer is saved: the choice, or the answer as text or data.",
    dialects: bothDialects,
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
