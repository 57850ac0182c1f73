import type { RunEvent } from "../machines/contract/run-event.js"

export type Delta = Extract<RunEvent, { readonly type: "model.delta" }>

/** An answer that a model is giving: the pieces that have come, and the last of them as it was told. */
interface Growing {
  readonly last: Delta
  readonly pieces: readonly string[]
}

/** What models are saying at the moment, by call. It holds no more than the answers that are not there yet, however slow who reads them is. */
export class PartialResponses {
  readonly #open = new Map<string, Growing & { last: Delta; readonly pieces: string[] }>()

  get all(): ReadonlyMap<string, Growing> {
    return this.#open
  }

  /** Takes in the next event of the run: more of an answer, or that nothing more comes of some. */
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
        // Another attempt begins.
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

/** Reads growing answers at the pace of whoever calls it: each time one delta for each answer that has grown since the last time. */
export function deltaReader(answers: PartialResponses): () => readonly Delta[] {
  let read = new Map<string, { readonly attempt: number; readonly pieces: number }>()
  return () => {
    const now: typeof read = new Map()
    const deltas: Delta[] = []
    for (const [call, { last, pieces }] of answers.all) {
      const before = read.get(call)
      const from = before?.attempt === last.attempt ? before.pieces : 0
      now.set(call, { attempt: last.attempt, pieces: pieces.length })
      if (pieces.length > from) deltas.push({ ...last, text: pieces.slice(from).join("") })
    }
    read = now
    return deltas
  }
}
