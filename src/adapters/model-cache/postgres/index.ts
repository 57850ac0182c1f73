export { postgresModelCache } from "./postgres-model-cache.js"
export type { PostgresModelCache, PostgresModelCacheOptions } from "./postgres-model-cache.js"
