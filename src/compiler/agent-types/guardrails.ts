import { bothDialects, inBothDialects, required } from "./common.js"
import type { FieldDescriptions, ObjectDescription } from "./field-description.js"

const checkFields = {
  name: {
    type: "toolId",
    defaultText: "the name of the function",
    description: "The name of the guardrail in events, errors and drawings.",
    dialects: inBothDialects({
      synonyms: ["id"],
      ...required('Add a name, such as "name": "injection".', { unless: "service" }),
    }),
  },
  service: {
    type: "guardrailService",
    defaultText: "required without `instructions`",
    description: "Name of the host function that checks the text.",
    dialects: inBothDialects({ synonyms: ["function", "code", "callback"] }),
  },
  instructions: {
    type: "filledText",
    defaultText: "required without `service`",
    description:
      "Describes when the guardrail trips. A model receives the instructions and the text. The instructions are sent unchanged.",
    dialects: inBothDialects({
      synonyms: ["instruction", "prompt"],
      ...required(
        'Add "service": "NAME" for a host function, or "instructions": "Trip if ..." for a model.',
        { unless: "service" },
      ),
    }),
  },
  model: {
    type: "model",
    defaultText: "the model of the agent",
    description: "Name of the registered model with which the guardrail checks texts.",
    dialects: bothDialects,
  },
} as const satisfies FieldDescriptions

const answer = {
  answer: {
    type: "filledText",
    defaultText: "required for `answer`",
    description: 'The text of the agent if the guardrail trips, with `onTrip: "answer"`.',
    dialects: inBothDialects({ synonyms: ["message", "text"] }),
  },
} as const satisfies FieldDescriptions

/** Describes the config fields of a guardrail that checks the input of an LlmAgent. */
export const inputGuardrail = {
  name: "an input guardrail",
  fields: {
    ...checkFields,
    mode: {
      type: "choice",
      choices: ["before", "beside"],
      default: "before",
      description:
        "`before`: the model is called after the guardrail has passed. `beside`: the model is called at the same time. Its response is used after the guardrail has passed.",
      dialects: inBothDialects({ synonyms: ["when", "runInParallel"] }),
    },
    onTrip: {
      type: "choice",
      choices: ["fail", "answer", "replace"],
      default: "fail",
      description:
        "`fail`: the agent fails with [`guardrail_tripped`](errors.md#guardrail_tripped). `answer`: the agent answers with the text in `answer`. `replace`: the model receives the `replacement` of the verdict instead of the user message. `replace` is not possible with `mode: beside`.",
      dialects: inBothDialects({ synonyms: ["action", "onFail"] }),
    },
    ...answer,
  },
} as const satisfies ObjectDescription

/** Describes the config fields of a guardrail that checks the final texts of an LlmAgent. */
export const outputGuardrail = {
  name: "an output guardrail",
  fields: {
    ...checkFields,
    onTrip: {
      type: "choice",
      choices: ["fail", "answer", "replace", "repair"],
      default: "fail",
      description:
        "`fail`: the agent fails with [`guardrail_tripped`](errors.md#guardrail_tripped). `answer`: the agent answers with the text in `answer`. `replace`: the agent answers with the `replacement` of the verdict. `repair`: the model receives the reason and is called again.",
      dialects: inBothDialects({ synonyms: ["action", "onFail"] }),
    },
    ...answer,
    maxRepairs: {
      type: "count",
      defaultText: "`1`",
      description:
        'Maximum number of repairs in a turn, with `onTrip: "repair"`. After that, the agent fails.',
      dialects: inBothDialects({ synonyms: ["repairs", "retries"] }),
    },
  },
} as const satisfies ObjectDescription

/**
 * Describes the config field `guardrails` of an LlmAgent, which lists the checks of its input and
 * its final texts.
 */
export const guardrails = {
  name: "guardrails",
  fields: {
    input: {
      type: "inputGuardrails",
      description: "The guardrails that check the input of the agent, in this order.",
      dialects: inBothDialects({ synonyms: ["inputs", "inputGuardrails"] }),
    },
    output: {
      type: "outputGuardrails",
      description: "The guardrails that check the final texts of the agent, in this order.",
      dialects: inBothDialects({ synonyms: ["outputs", "outputGuardrails"] }),
    },
    stream: {
      type: "choice",
      choices: ["hold", "send"],
      defaultText: "`hold` with output guardrails, otherwise `send`",
      description:
        "`hold`: the text of a response is not streamed, because it is checked first. `send`: the text is streamed before the guardrails have checked it.",
      dialects: inBothDialects({ synonyms: ["streaming"] }),
    },
  },
} as const satisfies ObjectDescription
