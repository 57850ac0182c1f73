/**
 * Executes runs as Temporal workflows: worker activities, and a client that starts runs.
 * Experimental. Import the workflow itself from `./workflow`.
 */
export { temporalActivities } from "./activities.js"
export { temporalRuns } from "./temporal-runs.js"
export type { TemporalRunsOptions } from "./temporal-runs.js"
export type { TemporalActivities } from "./names.js"
export type { EngineRuns, EngineStart, EngineStatus } from "../engine-runs.js"
