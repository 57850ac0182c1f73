import { createActor } from "xstate"
import type { Clock } from "../../../runtime/driver/host.js"
import type { ReachedServer } from "./connect.js"
import { connectionMachine } from "./connection-machine.js"
import { unreachable } from "./unreachable.js"

export interface ConnectionOptions {
  /** Makes a connection; `ended` is told when it is over. */
  readonly connect: (ended: () => void, signal: AbortSignal) => Promise<ReachedServer>
  readonly clock: Clock
  /** How long a question waits for a server that was reached before, in milliseconds. */
  readonly waitMs: number
  /** What messages call the server. */
  readonly place: string
}

/** The connection to an MCP server: one for all who ask, made when somebody does, and made again when it was lost. */
export interface Connection {
  /** @throws CallFailedError `service_unreachable`, in the end. */
  reached(signal: AbortSignal): Promise<ReachedServer>
  answered(): void
  lost(reached: ReachedServer): void
  /** Settles when everything that was opened is closed. Who asks afterwards connects again. */
  close(): Promise<void>
}

export function mcpConnection({ connect, clock, waitMs, place }: ConnectionOptions): Connection {
  /** What has to end before this is closed: attempts, and connections that are let go. */
  const unfinished = new Set<Promise<unknown>>()
  const open = new Set<ReachedServer>()
  const finishing = <Value>(work: Promise<Value>): Promise<Value> => {
    unfinished.add(work)
    const done = (): void => void unfinished.delete(work)
    work.then(done, done)
    return work
  }
  const make = async (signal: AbortSignal): Promise<ReachedServer> => {
    let isOver = false
    let made: ReachedServer | null = null
    const ended = (): void => {
      isOver = true
      if (made !== null) actor.send({ type: "lost", reached: made })
    }
    made = await connect(ended, signal)
    if (isOver) throw unreachable(place, "closed the connection immediately")
    if (!signal.aborted) open.add(made)
    else await made.close()
    return made
  }
  const machine = connectionMachine({
    connect: (signal) => finishing(make(signal)),
    // Over HTTP others may still get their answers, where one has got none.
    letGo: (reached) => void finishing(reached.idle().then(() => closeOne(reached))),
  })
  const closeOne = async (reached: ReachedServer): Promise<void> => {
    open.delete(reached)
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
              reject(problem ?? unreachable(place, "is no longer used: its connection was closed")),
            )
        }
        const giveUp = (): void => {
          const { problem } = actor.getSnapshot().context
          const why = problem instanceof Error ? `: ${problem.message}` : ""
          end(() =>
            reject(
              unreachable(
                place,
                `disconnected and did not reconnect within ${waitMs} ms${why}`,
                problem,
              ),
            ),
          )
        }
        const abort = (): void => end(() => reject(signal.reason))
        const subscription = actor.subscribe(look)
        // A server that was never reached is told of at once, so that a wrong address does not look like a slow one.
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
      await Promise.all([...open].map(closeOne))
      await Promise.allSettled(unfinished)
    },
  }
}

/** The library's clock as XState has one. */
const actorClock = (clock: Clock) => ({
  setTimeout: (wake: () => void, ms: number): unknown => clock.wakeAt(clock.now() + ms, wake),
  // It gets what `setTimeout` gave.
  clearTimeout: (stop: unknown): void => (stop as (() => void) | undefined)?.(),
})
