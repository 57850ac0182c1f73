/** Executes runs as DBOS workflows, stored in PostgreSQL. */
export { dbosRuns } from "./dbos-runs.js"
export type { DbosRuns, DbosRunsOptions } from "./dbos-runs.js"
export type { EngineRuns, EngineStart, EngineStatus } from "../engine-runs.js"
