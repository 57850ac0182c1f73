/** Runs as workflows of Temporal: the activities of workers, and those who start runs. Experimental. The workflow itself is `./workflow`. */
export { temporalActivities } from "./activities.js"
export { temporalRuns } from "./temporal-runs.js"
export type { TemporalRunsOptions } from "./temporal-runs.js"
export type { TemporalActivities } from "./names.js"
export type { EngineRuns, EngineStart, EngineStatus } from "../engine-runs.js"
