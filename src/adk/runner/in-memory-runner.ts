import { memorySessionStore } from "../../runtime/host/memory-session-store.js"
import { randomIds } from "../../runtime/host/random-ids.js"
import { systemClock } from "../../runtime/host/system-clock.js"
import { InMemoryMemoryService } from "../../runtime/host/memory/in-memory-memory-service.js"
import type { RunnerConfig } from "./runner-config.js"
import { AdkRunner } from "./runner.js"
import { SessionService } from "./session-service.js"

export type InMemoryRunnerConfig = Omit<RunnerConfig, "sessionService">

/**
 * A runner that creates its own session service. Sessions are stored in memory, or in the store
 * that you pass as `sessions`.
 *
 * @example
 * const runner = new InMemoryRunner({ agent: rootAgent, models: { small } })
 * const session = await runner.sessionService.createSession({ appName: runner.appName, userId: "ada" })
 * for await (const event of runner.runAsync({ userId: "ada", sessionId: session.id, newMessage: { role: "user", parts: [{ text: "Hi." }] } }))
 *   if (isFinalResponse(event)) console.log(stringifyContent(event))
 */
export class InMemoryRunner extends AdkRunner {
  /**
   * @throws AgentStatechartsError `definition_refused` if the agents do not compile. The message
   * lists all problems.
   */
  constructor(config: InMemoryRunnerConfig) {
    const {
      app,
      appName = app?.name ?? "InMemoryRunner",
      sessions = memorySessionStore(),
      clock = systemClock,
      ids = randomIds,
      memoryService = new InMemoryMemoryService(),
    } = config
    super({
      ...config,
      memoryService,
      appName,
      sessionService: new SessionService(sessions, clock, ids),
    })
  }
}
