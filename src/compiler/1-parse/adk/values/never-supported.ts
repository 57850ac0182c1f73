import type { Reader } from "../../fields/field-table.js"
import { optional } from "../../fields/field-table.js"
import { report } from "../../../diagnostics/config-location.js"
import { describeValue } from "../../../diagnostics/show.js"

const refused =
  (what: string, fix: string): Reader<never> =>
  (_, location) =>
    report(location, {
      code: "unsupported_feature",
      problem: `is not supported: ${what}`,
      fix,
      part: "key",
    })

const live = optional(
  refused(
    "live audio and video are not available",
    "Remove it, and convert speech to text in your application.",
  ),
)

/**
 * Parses the field `mode` of an LlmAgent. Accepts only `chat`, which is the default behavior of
 * agents.
 */
const mode: Reader<"chat"> = (value, location) =>
  value === "chat"
    ? value
    : report(location, {
        code: "unsupported_feature",
        problem: `is ${describeValue(value)}, which is a mode that is not supported`,
        fix: "Remove the field. To give an agent one task and use its result, run the agent with an AgentTool or in a SequentialAgent.",
      })

const ofNodes = (fix: string) =>
  optional(refused("it is an option of ADK 2 nodes, and is not available for agents", fix))

/**
 * Fields of ADK's LlmAgent that are not supported. Using one of them reports an error that suggests
 * an alternative (docs/semantics.md#config-documents).
 */
export const neverSupported = {
  planner: optional(
    refused(
      "planners are not available",
      "Describe in the instruction how to plan, or use a SequentialAgent whose first agent writes the plan.",
    ),
  ),
  codeExecutor: optional(
    refused(
      "models cannot execute code",
      "Give the agent a tool that executes code in your own environment.",
    ),
  ),
  mode: optional(mode),
  retryConfig: ofNodes(
    "Let the model service retry, or add an activityConfig with a retryPolicy to the agent.",
  ),
  timeout: ofNodes('Use "maxDuration" for the whole turn, such as "30s".'),
  stateSchema: ofNodes("Check the state in a callback."),
  rerunOnResume: ofNodes("Remove it: finished work does not run again."),
  waitForOutput: ofNodes("Remove it: a node always waits for its own output."),
  isolationScope: ofNodes('Use includeContents: "none", or run the agent with an AgentTool.'),
  requestProcessors: optional(
    refused("request processors are not available", "Use a beforeModelCallback."),
  ),
  responseProcessors: optional(
    refused("response processors are not available", "Use an afterModelCallback."),
  ),
  contextCompactors: optional(
    refused(
      "compactors are objects of a program",
      'Use "compaction": {"maxTokens": 8000} to summarize long conversations.',
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

/**
 * Names of ADK tools that run inside Google's models and search services. Other models cannot run
 * them.
 */
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
