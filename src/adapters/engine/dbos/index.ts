/** Executes runs of agents as DBOS workflows. DBOS stores the runs in PostgreSQL. */
export { dbosRuns } from "./dbos-runs.js"
export type { DbosRuns, DbosRunsOptions } from "./dbos-runs.js"
export type { EngineRuns, EngineStart, EngineStatus } from "../engine-runs.js"
