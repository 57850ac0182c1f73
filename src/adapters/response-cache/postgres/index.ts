export { postgresResponseCache } from "./postgres-response-cache.js"
export type {
  PostgresResponseCache,
  PostgresResponseCacheOptions,
} from "./postgres-response-cache.js"
