import type { Envelope } from "../../../machines/contract/services.js"
import type { LeafCall } from "../../../runtime/driver/host.js"
import type { CallPerformer } from "../../../runtime/host/call-performer.js"
import { storableEnvelope } from "../storable-envelope.js"

/** Something that came, as DBOS stores it; of a message only that it came, since DBOS has stored the message itself. */
export type Arrival =
  | { readonly n: number; readonly result: Envelope }
  | { readonly message: true; readonly at: number }

/** The calls of one run in this process. */
export interface OpenCalls {
  begin(call: LeafCall): () => void
  /** Calls that have not been given out. */
  readonly open: ReadonlyMap<number, LeafCall>
  /** The result of a call has been given out. */
  close(n: number): void
  /** A message has come, or the one that came has been given out. */
  message(isHere: boolean): void
  /**
   * Makes the calls that were begun and settles with what comes first, and with what has come meanwhile. DBOS asks for it only
   * where it has nothing stored: a call whose result it has is begun when the run is carried again, and never made.
   */
  arrivals(cancelled: AbortSignal | undefined): Promise<readonly Arrival[]>
  /** DBOS has given the run to another execution: who waits for what comes is told. */
  lose(why: Error): void
  /** Stops all calls. Nothing comes any more. */
  stop(): void
}

export function openCalls(performer: CallPerformer): OpenCalls {
  const open = new Map<number, LeafCall>()
  const made = new Map<number, AbortController>()
  let ended: { readonly n: number; readonly result: Envelope }[] = []
  let begun: LeafCall[] = []
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

  /** A message goes first: it may be there to stop the calls. */
  const arrived = (): readonly Arrival[] => {
    const calls = ended.filter(({ n }) => open.has(n))
    ended = []
    return messageIsHere ? [{ message: true, at: performer.now() }, ...calls] : calls
  }

  return {
    open,
    close: drop,
    begin(call) {
      open.set(call.n, call)
      begun.push(call)
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
      const calls = begun
      begun = []
      if (!isOver) for (const call of calls) if (open.has(call.n)) make(call)
      return new Promise((resolve, reject) => {
        wake = () => {
          if (lost !== null) return reject(lost)
          const all = isOver ? [] : arrived()
          if (all.length === 0) return
          // What comes now waits for the next step.
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
