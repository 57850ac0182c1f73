import type { RunEvent } from "../machines/contract/run-event.js"

export type Delta = Extract<RunEvent, { readonly type: "model.delta" }>

/**
 * A model response that is being generated. `pieces` are the pieces of text so far, and `last` is
 * the latest delta event.
 */
interface PartialResponse {
  readonly last: Delta
  readonly pieces: readonly string[]
}

/**
 * Model responses of a run that are being generated, by call. A response is removed when its
 * `model.responded` event arrives. Therefore, slow readers do not increase memory usage.
 */
export class PartialResponses {
  readonly #open = new Map<string, PartialResponse & { last: Delta; readonly pieces: string[] }>()

  get all(): ReadonlyMap<string, PartialResponse> {
    return this.#open
  }

  /**
   * Processes the next event of the run. A `model.delta` event adds text to a response. Other
   * events can remove responses.
   */
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
      case "model.fallback":
        this.#open.delete(event.of)
        break
      case "model.called":
        // `model.called` starts a new attempt of the call, so the text of the failed attempt is
        // dropped.
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
 * Returns a function for reading generated text. Each call of this function returns the text
 * generated since the previous call, as one delta for each response that has grown.
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
