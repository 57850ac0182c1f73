/**
 * Executes runs of agents as Temporal workflows. Exports the activities for workers and a client
 * that starts runs. The workflow itself is exported by `./workflow`. Experimental.
 */
export { temporalActivities } from "./activities.js"
export { temporalRuns } from "./temporal-runs.js"
export type { TemporalRunsOptions } from "./temporal-runs.js"
export type { TemporalActivities } from "./names.js"
export type { EngineRuns, EngineStart, EngineStatus } from "../engine-runs.js"
