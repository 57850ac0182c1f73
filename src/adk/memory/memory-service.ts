import type { HostService } from "../../runtime/host/host-service.js"
import type { MemoryService } from "../../runtime/journal/memory-service.js"
import { memoryTools } from "../../runtime/memory/memory-tools.js"

/** A service that stores sessions and searches the messages of all sessions of a user. */
export type BaseMemoryService = MemoryService

/**
 * Adds the functions of the memory tools to the services of a runner if the runner has a memory
 * service. Otherwise, returns the services unchanged.
 */
export const withMemoryTools = (
  services: Readonly<Record<string, HostService>>,
  memory: MemoryService | undefined,
): Readonly<Record<string, HostService>> =>
  memory === undefined ? services : { ...memoryTools(memory), ...services }
