/** Runs as workflows of DBOS, kept in PostgreSQL. */
export { dbosRuns } from "./dbos-runs.js"
export type { DbosRuns, DbosRunsOptions } from "./dbos-runs.js"
export type { EngineRuns, EngineStart, Standing } from "../engine-runs.js"
