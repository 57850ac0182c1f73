import type { Envelope } from "../../../machines/contract/services.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import type { CallPerformer } from "../../../runtime/host/call-performer.js"
import { storableEnvelope } from "../storable-envelope.js"

/**
 * Something that arrived, as stored by DBOS. For a message only its arrival is stored, because DBOS
 * stores the message itself.
 */
export type DbosArrival =
  | { readonly n: number; readonly result: Envelope }
  | { readonly message: true; readonly at: number }

/** The open calls of one run in this process. */
export interface DbosCalls {
  begin(call: LeafCall): () => void
  /** Calls whose results have not been delivered. */
  readonly open: ReadonlyMap<number, LeafCall>
  /** Removes a call whose result was delivered. */
  close(n: number): void
  /** Records that a message arrived, or that it was delivered. */
  message(isHere: boolean): void
  /**
   * Makes the started calls and resolves with everything that has arrived, at least one item. DBOS
   * runs this only where it has no stored result, so a call with a stored result is started again
   * on replay but never made.
   */
  arrivals(cancelled: AbortSignal | undefined): Promise<readonly DbosArrival[]>
  /** DBOS has given the run to another execution. Rejects the pending wait with `why`. */
  lose(why: Error): void
  /** Aborts all calls. Nothing arrives after that. */
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

  /** Messages come first, because they may cancel calls. */
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
          // Later arrivals are delivered in the next step.
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
