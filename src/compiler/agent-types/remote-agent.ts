import { bothDialects, commonFields, inBothDialects, required, whenField } from "./common.js"
import type { ObjectDescription } from "./field-description.js"

/**
 * Describes the config fields of an agent that runs on another server
 * (docs/semantics.md#remote-agents).
 */
export const remoteAgent = {
  name: "a RemoteA2AAgent",
  fields: {
    ...commonFields,
    ...whenField,
    agentCard: {
      type: "url",
      defaultText: "required",
      description:
        "URL of the agent card. If the path does not end with `.json`, `/.well-known/agent-card.json` is added. The URL can contain [templates](#templates).",
      dialects: inBothDialects({
        synonyms: ["card", "cardUrl", "agentCardUrl"],
        ...required('Add the URL of the agent card: "agentCard": "https://...".'),
      }),
    },
    url: {
      type: "url",
      defaultText: "the URL in the agent card",
      description:
        "URL of the agent. Required if the agent card names a URL on another host, because headers are only sent to hosts that the config names.",
      dialects: inBothDialects({ synonyms: ["endpoint", "uri"] }),
    },
    headers: {
      type: "headers",
      description:
        "Headers of all requests, such as `authorization`. The values can contain [templates](#templates) and [secrets](security.md).",
      dialects: bothDialects,
    },
    prompt: {
      type: "text",
      defaultText: "the last user message",
      description:
        "The message to the agent. A [template](#prompts-of-a-humanagent): `{key}` inserts a value of the session state.",
      dialects: bothDialects,
    },
    input: {
      type: "machineInput",
      description:
        "State keys that are sent with the message as structured data: a list, or an object with a state key for each field.",
      dialects: bothDialects,
    },
    outputKey: {
      type: "outputKey",
      description: "State key in which the result of the agent is saved.",
      dialects: bothDialects,
    },
    output: {
      type: "choice",
      choices: ["text", "data", "artifacts"],
      default: "text",
      description:
        'The result that is saved under `outputKey`. `"text"`: the text of the artifacts. `"data"`: their structured data. `"artifacts"`: the list of artifacts.',
      dialects: bothDialects,
    },
    activity: {
      type: "activityConfig",
      defaultText: "one attempt",
      description:
        "[Timeouts and retries](#activityconfig). `startToCloseTimeout` limits each HTTP request, but not the duration of the task.",
      dialects: inBothDialects({ name: "activityConfig" }),
    },
    maxDurationMs: {
      type: "duration",
      description:
        "Maximum [duration](#durations) of the task, including the time that people take to answer. A longer task is cancelled, and the agent fails with [`deadline_passed`](errors.md#deadline_passed).",
      dialects: inBothDialects({ name: "maxDuration", synonyms: ["timeout"] }),
    },
  },
  strictIn: ["adk"],
} as const satisfies ObjectDescription
