/** Runs as workflows of DBOS, kept in PostgreSQL. */
export { dbosRuns } from "./dbos-runs.js"
export type { DbosRuns, DbosRunsOptions, DbosStart } from "./dbos-runs.js"
export type { Standing } from "./carry-on-dbos.js"
