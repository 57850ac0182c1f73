export { postgresMemoryService } from "./postgres-memory-service.js"
export type {
  PostgresMemoryService,
  PostgresMemoryServiceOptions,
} from "./postgres-memory-service.js"
