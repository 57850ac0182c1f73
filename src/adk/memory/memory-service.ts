import type { HostService } from "../../runtime/host/host-service.js"
import type { MemoryService } from "../../runtime/journal/memory-service.js"
import { memoryTools } from "../../runtime/memory/memory-tools.js"

/** Stores sessions and searches the messages of all sessions of a user. */
export type BaseMemoryService = MemoryService

/** Returns the services of a runner, with those of the memory tools if it has a memory service. */
export const withMemoryTools = (
  services: Readonly<Record<string, HostService>>,
  memory: MemoryService | undefined,
): Readonly<Record<string, HostService>> =>
  memory === undefined ? services : { ...memoryTools(memory), ...services }
