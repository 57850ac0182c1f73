import type { Envelope } from "../../../machines/contract/services.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import type { CallPerformer } from "../../../runtime/host/call-performer.js"
import { storableEnvelope } from "../storable-envelope.js"

/**
 * An event that a run receives, as DBOS stores it: a call's result, or the arrival of a message.
 * The content of the message is not included, because DBOS stores messages separately.
 */
export type DbosArrival =
  | { readonly n: number; readonly result: Envelope }
  | { readonly message: true; readonly at: number }

/** The calls in flight of one run in this process. */
export interface DbosCalls {
  begin(call: LeafCall): () => void
  /** Calls whose result the run has not received yet, by call number. */
  readonly open: ReadonlyMap<number, LeafCall>
  /** Removes a call after its result was passed to the run. */
  close(n: number): void
  /** Sets whether the inbox contains a message that the run has not read yet. */
  message(isHere: boolean): void
  /**
   * Executes the calls that `begin` has registered. Waits for at least one event and resolves to
   * all events that have arrived. During recovery, DBOS returns stored steps without calling this
   * function. Therefore a call with a stored result is registered again, but not executed again.
   */
  arrivals(cancelled: AbortSignal | undefined): Promise<readonly DbosArrival[]>
  /**
   * Rejects the pending promise of `arrivals` with `why`. Called if another DBOS execution has
   * taken over the run.
   */
  lose(why: Error): void
  /** Aborts all calls. No events arrive after that. */
  stop(): void
}

export function dbosCalls(performer: CallPerformer): DbosCalls {
  const open = new Map<number, LeafCall>()
  const made = new Map<number, AbortController>()
  let ended: { readonly n: number; readonly result: Envelope }[] = []
  let notMade: LeafCall[] = []
  let messageIsHere = false
  let lost: Error | null = null
  let isOver = false
  let wake = (): void => {}

  const drop = (n: number): void => {
    open.delete(n)
    made.delete(n)
  }

  const make = (call: LeafCall): void => {
    const controller = new AbortController()
    made.set(call.n, controller)
    void performer.perform(call, controller.signal).then((result) => {
      if (result === null) return
      ended.push({ n: call.n, result: storableEnvelope(result) })
      wake()
    })
  }

  /**
   * Returns all events that have arrived. A message comes first, because it may cancel calls whose
   * results have also arrived.
   */
  const arrived = (): readonly DbosArrival[] => {
    const calls = ended.filter(({ n }) => open.has(n))
    ended = []
    return messageIsHere ? [{ message: true, at: performer.now() }, ...calls] : calls
  }

  return {
    open,
    close: drop,
    begin(call) {
      open.set(call.n, call)
      notMade.push(call)
      return () => {
        made.get(call.n)?.abort()
        drop(call.n)
      }
    },
    message(isHere) {
      messageIsHere = isHere
      wake()
    },
    arrivals(cancelled) {
      const calls = notMade
      notMade = []
      if (!isOver) for (const call of calls) if (open.has(call.n)) make(call)
      return new Promise((resolve, reject) => {
        wake = () => {
          if (lost !== null) return reject(lost)
          const all = isOver ? [] : arrived()
          if (all.length === 0) return
          // Events that arrive later are returned by the next step.
          wake = () => {}
          resolve(all)
        }
        cancelled?.addEventListener("abort", () => reject(cancelled.reason as Error), {
          once: true,
        })
        wake()
      })
    },
    lose(why) {
      lost = why
      wake()
    },
    stop() {
      isOver = true
      for (const controller of made.values()) controller.abort()
      made.clear()
    },
  }
}
