export { sqliteSessionStore } from "./sqlite-session-store.js"
export type { SqliteSessionStore } from "./sqlite-session-store.js"
