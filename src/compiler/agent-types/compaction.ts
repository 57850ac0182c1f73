import { both, inBoth, required } from "./common.js"
import type { ObjectDescription } from "./field-description.js"

/** Description of the limit for the conversation of an LlmAgent. */
export const compaction = {
  name: "a compaction",
  fields: {
    maxTokens: {
      type: "count",
      defaultText: "required",
      description:
        "Maximum number of tokens of a model call. If the next call has more tokens, the oldest messages are summarized first.",
      dialects: inBoth({
        synonyms: ["tokens", "tokenThreshold"],
        ...required('Add the maximum number of tokens of a model call, such as "maxTokens": 8000.'),
      }),
    },
    keepMessages: {
      type: "count",
      defaultText: "as many as fit in half of `maxTokens`",
      description:
        "Maximum number of recent messages that are not summarized. If they do not fit in half of `maxTokens`, fewer messages are kept.",
      dialects: inBoth({ synonyms: ["eventRetentionSize", "keep", "retain"] }),
    },
    model: {
      type: "model",
      defaultText: "the model of the agent",
      description: "Name of the registered model that writes the summaries.",
      dialects: both,
    },
    instructions: {
      type: "filledText",
      defaultText: "asks for a short summary",
      description: "The instructions for the summaries. The text is sent unchanged.",
      dialects: inBoth({ synonyms: ["instruction", "prompt"] }),
    },
  },
} as const satisfies ObjectDescription
