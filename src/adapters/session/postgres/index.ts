export { postgresSessionStore } from "./postgres-session-store.js"
export type { PostgresSessionStore, PostgresSessionStoreOptions } from "./postgres-session-store.js"
