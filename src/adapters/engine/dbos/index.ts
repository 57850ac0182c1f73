/** Executes runs as DBOS workflows. DBOS stores them in PostgreSQL. */
export { dbosRuns } from "./dbos-runs.js"
export type { DbosRuns, DbosRunsOptions } from "./dbos-runs.js"
export type { EngineRuns, EngineStart, EngineStatus } from "../engine-runs.js"
