import { describeArgument, refuseArgument } from "../../machines/data/check-arguments.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import type { CallServices } from "../host/call-services.js"
import { memorySessionStore } from "../host/memory-session-store.js"
import type { MemoryService } from "../journal/memory-service.js"
import type { SessionStore } from "../journal/session-store.js"
import { memoryTools } from "./memory-tools.js"
import { rememberingSessions } from "./remembering-sessions.js"

/** The runner option `memory`, which gives agents access to the long-term memory of users. */
export interface MemoryOption {
  /**
   * Memory service that stores the long-term memory of users (docs/memory.md). Each session is
   * added to it when the session is saved. The tools `load_memory` and `preload_memory` search it.
   * Default: no memory.
   */
  readonly memory?: MemoryService
}

interface MemoryUser extends Pick<CallServices, "services"> {
  readonly sessions?: SessionStore
}

/**
 * Replaces the option `memory` of a runner with other options. The returned `sessions` also add
 * each session to the memory, and the returned `services` contain the memory tools. If
 * `options.services` contains a service with the same name, it is used instead.
 *
 * @throws AgentStatechartsError `argument_invalid`
 */
export function withMemory<Options extends MemoryUser>({
  memory,
  ...options
}: Options & MemoryOption): Omit<Options & MemoryOption, "memory"> {
  if (memory === undefined) return options
  if (!isMemoryService(memory))
    refuseArgument(
      `memory must be a memory service, but is ${describeArgument(memory)}. Pass for example sqliteMemoryService("memory.sqlite") or new InMemoryMemoryService().`,
    )
  const { sessions = memorySessionStore(), services } = options as MemoryUser
  return {
    ...options,
    sessions: rememberingSessions(sessions, memory),
    services: { ...memoryTools(memory), ...services },
  }
}

const isMemoryService = (value: unknown): boolean =>
  isJsonObject(value) &&
  typeof value["searchMemory"] === "function" &&
  typeof value["addSessionToMemory"] === "function"
