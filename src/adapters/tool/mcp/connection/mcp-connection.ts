import { createActor } from "xstate"
import type { Clock } from "../../../../runtime/driver/host.js"
import type { ReachedServer } from "./connect.js"
import { connectionMachine } from "./connection-machine.js"
import { unreachableServerError } from "./unreachable.js"

export interface ConnectionOptions {
  /**
   * Opens a connection to the MCP server. The function must call `ended` after the connection is
   * closed.
   */
  readonly connect: (ended: () => void, signal: AbortSignal) => Promise<ReachedServer>
  readonly clock: Clock
  /** Maximum time that a request waits for a reconnection, in milliseconds. */
  readonly waitMs: number
  /** Description of the MCP server for error messages. */
  readonly serverName: string
}

/**
 * The connection to an MCP server that all runs share. It is opened by the first request and
 * reconnects automatically.
 */
export interface Connection {
  /**
   * Resolves to the open connection. If the connection is closed, opens it first.
   *
   * @throws CallFailedError `service_unreachable` if the server cannot be reached
   */
  reached(signal: AbortSignal): Promise<ReachedServer>
  /** Reports that a request has received its response. This sets the number of failures to 0. */
  answered(): void
  /**
   * Reports that the connection `reached` was lost. The connection to the server is then opened
   * again.
   */
  lost(reached: ReachedServer): void
  /** Closes the connection. A later request opens it again. */
  close(): Promise<void>
}

/**
 * Creates the connection to an MCP server that all runs share. The first request opens the
 * connection.
 */
export function mcpConnection({
  connect,
  clock,
  waitMs,
  serverName,
}: ConnectionOptions): Connection {
  /**
   * Promises of running connection attempts and of connections that are being closed. `close` waits
   * for these promises.
   */
  const unfinished = new Set<Promise<unknown>>()
  const openServers = new Set<ReachedServer>()
  const track = <Value>(work: Promise<Value>): Promise<Value> => {
    unfinished.add(work)
    const done = (): void => void unfinished.delete(work)
    work.then(done, done)
    return work
  }
  const open = async (signal: AbortSignal): Promise<ReachedServer> => {
    let isClosed = false
    let made: ReachedServer | null = null
    const ended = (): void => {
      isClosed = true
      if (made !== null) actor.send({ type: "lost", reached: made })
    }
    made = await connect(ended, signal)
    if (isClosed) throw unreachableServerError(serverName, "closed the connection immediately")
    if (!signal.aborted) openServers.add(made)
    else await made.close()
    return made
  }
  const machine = connectionMachine({
    connect: (signal) => track(open(signal)),
    // Over HTTP, other requests may still receive their responses, so the connection is closed when
    // it is idle.
    release: (reached) => void track(reached.idle().then(() => closeOne(reached))),
  })
  const closeOne = async (reached: ReachedServer): Promise<void> => {
    openServers.delete(reached)
    await reached.close()
  }
  const actor = createActor(machine, { clock: actorClock(clock) }).start()

  return {
    answered: () => actor.send({ type: "answered" }),
    lost: (reached) => actor.send({ type: "lost", reached }),
    reached: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        actor.send({ type: "wanted" })
        const look = (): void => {
          const snapshot = actor.getSnapshot()
          const { reached, problem } = snapshot.context
          if (reached !== null) end(() => resolve(reached))
          else if (snapshot.matches("disconnected"))
            end(() =>
              reject(
                problem ??
                  unreachableServerError(
                    serverName,
                    "is no longer used: its connection was closed",
                  ),
              ),
            )
        }
        const giveUp = (): void => {
          const { problem } = actor.getSnapshot().context
          const why = problem instanceof Error ? `: ${problem.message}` : ""
          end(() =>
            reject(
              unreachableServerError(
                serverName,
                `disconnected and did not reconnect within ${waitMs} ms${why}`,
                problem,
              ),
            ),
          )
        }
        const abort = (): void => end(() => reject(signal.reason))
        const subscription = actor.subscribe(look)
        // If the server was never reached, the request fails immediately, because the address may
        // be wrong.
        const disarm = actor.getSnapshot().context.isKnown
          ? clock.wakeAt(clock.now() + waitMs, giveUp)
          : () => {}
        const end = (settle: () => void): void => {
          subscription.unsubscribe()
          disarm()
          signal.removeEventListener("abort", abort)
          settle()
        }
        signal.addEventListener("abort", abort, { once: true })
        look()
      }),
    async close() {
      actor.send({ type: "closed" })
      await Promise.all([...openServers].map(closeOne))
      await Promise.allSettled(unfinished)
    },
  }
}

/** Converts a clock of this package to the interface for clocks of XState actors. */
const actorClock = (clock: Clock) => ({
  setTimeout: (wake: () => void, ms: number): unknown => clock.wakeAt(clock.now() + ms, wake),
  // XState passes the value that `setTimeout` has returned.
  clearTimeout: (stop: unknown): void => (stop as (() => void) | undefined)?.(),
})
