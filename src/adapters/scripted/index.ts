/**
 * A local HTTP service with scripted responses of models and tools, for tests, demos and
 * conformance vectors.
 */
export type { RequestRecord } from "./request-record.js"
export {
  readScenario,
  type Scenario,
  type ScriptedResponse,
  type ScriptedReply,
} from "./scenario.js"
export { scriptedAgents } from "./scripted-agents.js"
export { scriptedModels } from "./scripted-models.js"
export { scriptedTools } from "./scripted-tools.js"
export type { ScriptedKind, ScriptEntry } from "./script-position.js"
export {
  type CallCounts,
  type ScriptedService,
  type ScriptedServiceOptions,
  startScriptedService,
} from "./scripted-service.js"
