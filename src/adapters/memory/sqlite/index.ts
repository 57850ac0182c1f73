export { sqliteMemoryService } from "./sqlite-memory-service.js"
export type { SqliteMemoryService } from "./sqlite-memory-service.js"
