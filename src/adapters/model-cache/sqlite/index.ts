export { sqliteModelCache } from "./sqlite-model-cache.js"
export type { SqliteModelCache } from "./sqlite-model-cache.js"
