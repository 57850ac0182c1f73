import type { RunEvent } from "../machines/contract/run-event.js"

export type Delta = Extract<RunEvent, { readonly type: "model.delta" }>

/** A response that a model is streaming: its pieces so far, and the event of the last piece. */
interface PartialResponse {
  readonly last: Delta
  readonly pieces: readonly string[]
}

/**
 * The responses that models are streaming now, by call. A response is removed when its
 * `model.responded` event arrives, so memory does not depend on how slow readers are.
 */
export class PartialResponses {
  readonly #open = new Map<string, PartialResponse & { last: Delta; readonly pieces: string[] }>()

  get all(): ReadonlyMap<string, PartialResponse> {
    return this.#open
  }

  /** Adds the next event of the run: a delta extends a response, other events may remove one. */
  next(event: RunEvent): void {
    switch (event.type) {
      case "model.delta": {
        const known = this.#open.get(event.call)
        if (known?.last.attempt !== event.attempt)
          return void this.#open.set(event.call, { last: event, pieces: [event.text] })
        known.last = event
        known.pieces.push(event.text)
        break
      }
      case "model.responded":
        this.#open.delete(event.call)
        break
      case "model.called":
        // A new attempt starts.
        this.#open.delete(event.call)
        break
      case "agent.finished":
        for (const [call, { last }] of this.#open)
          if (last.path === event.path) this.#open.delete(call)
        break
      case "run.finished":
        this.#open.clear()
        break
      default:
    }
  }
}

/**
 * Returns a function that reads partial responses at the caller's pace. Each call returns one delta
 * for every response that has grown since the last call.
 */
export function deltaReader(responses: PartialResponses): () => readonly Delta[] {
  let read = new Map<string, { readonly attempt: number; readonly pieces: number }>()
  return () => {
    const now: typeof read = new Map()
    const deltas: Delta[] = []
    for (const [call, { last, pieces }] of responses.all) {
      const before = read.get(call)
      const from = before?.attempt === last.attempt ? before.pieces : 0
      now.set(call, { attempt: last.attempt, pieces: pieces.length })
      if (pieces.length > from) deltas.push({ ...last, text: pieces.slice(from).join("") })
    }
    read = now
    return deltas
  }
}
