import type { Envelope } from "../../../machines/contract/services.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import type { CallPerformer } from "../../../runtime/host/call-performer.js"
import { storableEnvelope } from "../storable-envelope.js"

/**
 * An event that a run receives, as DBOS stores it. It is either a call's result or the arrival of a
 * message. The content of the message is not included, because DBOS stores messages separately.
 */
export type DbosArrival =
  | { readonly n: number; readonly result: Envelope }
  | { readonly message: true; readonly at: number }

/** The unfinished model calls, tool calls and pauses of one run in this process. */
export interface DbosCalls {
  begin(call: LeafCall): () => void
  /** Calls whose result the run has not received yet, by call number. */
  readonly open: ReadonlyMap<number, LeafCall>
  /** Removes the call with the number `n` after its result was passed to the run. */
  close(n: number): void
  /** Reports whether the inbox of the run contains a message that the run has not read yet. */
  setUnread(isUnread: boolean): void
  /**
   * Executes the calls that `begin` has registered. Waits for at least one event and resolves to
   * all events that have arrived. The caller runs this function as a DBOS step. During recovery,
   * DBOS returns the stored result of the step instead of calling the function. Therefore a call
   * with a stored result is registered again, but not executed again.
   */
  arrivals(cancelled: AbortSignal | undefined): Promise<readonly DbosArrival[]>
  /**
   * Rejects the promise that `arrivals` has returned with the error `why`. Called if another DBOS
   * execution has taken over the run.
   */
  fail(why: Error): void
  /** Aborts all calls of the run. After that, `arrivals` returns no more events. */
  stop(): void
}

export function dbosCalls(performer: CallPerformer): DbosCalls {
  const open = new Map<number, LeafCall>()
  const controllers = new Map<number, AbortController>()
  let ended: { readonly n: number; readonly result: Envelope }[] = []
  let notStarted: LeafCall[] = []
  let hasUnreadMessage = false
  let failure: Error | null = null
  let isStopped = false
  let wake = (): void => {}

  const drop = (n: number): void => {
    open.delete(n)
    controllers.delete(n)
  }

  const execute = (call: LeafCall): void => {
    const controller = new AbortController()
    controllers.set(call.n, controller)
    void performer.perform(call, controller.signal).then((result) => {
      if (result === null) return
      ended.push({ n: call.n, result: storableEnvelope(result) })
      wake()
    })
  }

  /**
   * Returns all events for the run that have arrived. A message comes first, because it may cancel
   * calls whose results have also arrived.
   */
  const arrived = (): readonly DbosArrival[] => {
    const calls = ended.filter(({ n }) => open.has(n))
    ended = []
    return hasUnreadMessage ? [{ message: true, at: performer.now() }, ...calls] : calls
  }

  return {
    open,
    close: drop,
    begin(call) {
      open.set(call.n, call)
      notStarted.push(call)
      return () => {
        controllers.get(call.n)?.abort()
        drop(call.n)
      }
    },
    setUnread(isUnread) {
      hasUnreadMessage = isUnread
      wake()
    },
    arrivals(cancelled) {
      const calls = notStarted
      notStarted = []
      if (!isStopped) for (const call of calls) if (open.has(call.n)) execute(call)
      return new Promise((resolve, reject) => {
        wake = () => {
          if (failure !== null) return reject(failure)
          const all = isStopped ? [] : arrived()
          if (all.length === 0) return
          // Events that arrive from now on are returned by the next call of `arrivals`.
          wake = () => {}
          resolve(all)
        }
        cancelled?.addEventListener("abort", () => reject(cancelled.reason as Error), {
          once: true,
        })
        wake()
      })
    },
    fail(why) {
      failure = why
      wake()
    },
    stop() {
      isStopped = true
      for (const controller of controllers.values()) controller.abort()
      controllers.clear()
    },
  }
}
