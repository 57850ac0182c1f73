export { postgresLimits } from "./postgres-limits.js"
export type { PostgresLimits, PostgresLimitsOptions } from "./postgres-limits.js"
