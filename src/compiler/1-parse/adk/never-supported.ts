import type { Reader } from "../fields/field-table.js"
import { optional } from "../fields/field-table.js"
import { report } from "../place.js"
import { show } from "../show.js"

const refused =
  (what: string, cure: string): Reader<never> =>
  (_, at) =>
    report(at, {
      code: "unsupported_feature",
      says: `is not supported: ${what}`,
      cure,
      part: "key",
    })

const live = optional(
  refused(
    "runs are text, and there are none with live audio or video",
    "Leave it out, and let whatever talks to people turn speech into text.",
  ),
)

/** `chat` is what an agent does anyway. */
const mode: Reader<"chat"> = (value, at) =>
  value === "chat"
    ? value
    : report(at, {
        code: "unsupported_feature",
        says: `is ${show(value)}, a mode that is not supported`,
        cure: "Leave it out; to give an agent one task and take its result, run it by an AgentTool or in a SequentialAgent.",
      })

const ofNodes = (cure: string) =>
  optional(refused("it is an option of nodes of ADK 2, and agents do not have it here", cure))

/** Fields of ADK's LlmAgent that are not supported, each with its alternative (docs/semantics.md#config-documents). */
export const neverSupported = {
  planner: optional(
    refused(
      "there are no planners",
      "Say in the instruction how to plan, or let an agent of its own write the plan in a SequentialAgent.",
    ),
  ),
  codeExecutor: optional(
    refused(
      "models execute no code here",
      "Give the agent a tool that executes code where you want it executed.",
    ),
  ),
  mode: optional(mode),
  retryConfig: ofNodes(
    "Let the model service retry, or give the agent an activityConfig with a retryPolicy.",
  ),
  timeout: ofNodes('Use "maxDuration" for the whole turn, such as "30s".'),
  stateSchema: ofNodes("Check the state in a callback."),
  rerunOnResume: ofNodes("Leave it out: what has finished is not run again."),
  waitForOutput: ofNodes("Leave it out: a node waits for its own output."),
  isolationScope: ofNodes('Use includeContents: "none", or run the agent by an AgentTool.'),
  requestProcessors: optional(refused("requests have no processors", "Use a beforeModelCallback.")),
  responseProcessors: optional(
    refused("responses have no processors", "Use an afterModelCallback."),
  ),
  contextCompactors: optional(
    refused(
      "the history is not compacted",
      'Use includeContents: "none", or an instruction that reads from the state.',
    ),
  ),
  runConfig: live,
  liveConfig: live,
  liveConnectConfig: live,
  speechConfig: live,
  responseModalities: live,
  realtimeInputConfig: live,
  inputAudioTranscription: live,
  outputAudioTranscription: live,
  proactivity: live,
  enableAffectiveDialog: live,
}

/** Tools that run inside of Google's own models and search services, under the names that ADK has for them. */
const hostedTools: ReadonlySet<string> = new Set([
  "google_search",
  "GoogleSearchTool",
  "GoogleSearchAgentTool",
  "google_maps_grounding",
  "GoogleMapsGroundingTool",
  "enterprise_web_search",
  "EnterpriseWebSearchTool",
  "url_context",
  "UrlContextTool",
  "built_in_code_execution",
  "VertexAiSearchTool",
  "VertexAiRagRetrieval",
  "DiscoveryEngineSearchTool",
])

export const isHostedTool = (name: string): boolean => hostedTools.has(name)
