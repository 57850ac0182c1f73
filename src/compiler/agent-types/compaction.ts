import { bothDialects, inBothDialects } from "./common.js"
import type { ObjectDescription } from "./field-description.js"

/**
 * Describes the config fields for compaction, which shortens an LlmAgent's conversation by
 * summarizing older messages.
 */
export const compaction = {
  name: "a compaction",
  fields: {
    maxTokens: {
      type: "count",
      defaultText: "no maximum",
      description:
        "Maximum number of tokens of a model call. If the next call has more tokens, the oldest messages are summarized first. This field is required if `interval` is missing.",
      dialects: inBothDialects({ synonyms: ["tokens", "tokenThreshold"] }),
    },
    interval: {
      type: "count",
      defaultText: "no interval",
      description:
        "Number of user messages after which the conversation is summarized. The next user message triggers the summary, which replaces all messages before it.",
      dialects: inBothDialects({ synonyms: ["compactionInterval", "compaction_interval"] }),
    },
    overlap: {
      type: "count",
      defaultText: "none",
      description:
        "Number of user messages that each summary shares with the previous summary. The next summary reads these messages and the responses to them again.",
      dialects: inBothDialects({ synonyms: ["overlapSize", "overlap_size"] }),
    },
    keepMessages: {
      type: "count",
      defaultText: "as many as fit in half of `maxTokens`",
      description:
        "Maximum number of recent messages that are not summarized. If they do not fit in half of `maxTokens`, fewer messages are kept.",
      dialects: inBothDialects({ synonyms: ["eventRetentionSize", "keep", "retain"] }),
    },
    model: {
      type: "model",
      defaultText: "the model of the agent",
      description: "Name of the registered model that writes the summaries.",
      dialects: bothDialects,
    },
    instructions: {
      type: "filledText",
      defaultText: "asks for a short summary",
      description: "The instructions for the summaries. The text is sent unchanged.",
      dialects: inBothDialects({ synonyms: ["instruction", "prompt"] }),
    },
  },
} as const satisfies ObjectDescription
