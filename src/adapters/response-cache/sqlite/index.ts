export { sqliteResponseCache } from "./sqlite-response-cache.js"
export type { SqliteResponseCache } from "./sqlite-response-cache.js"
