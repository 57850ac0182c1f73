import type { RunEvent } from "../../../api.js"
import { dropOldest } from "./drop-oldest.js"

/**
 * The pause before the retry of a failed call, in milliseconds since the epoch. `error` is the
 * message of the failed attempt.
 */
export interface RetryPause {
  readonly from: number
  readonly until: number
  readonly error: string
}

/** A model call, a tool call or a request to a person, with its attempts and its response. */
export interface LoggedCall {
  readonly kind: "model" | "tool" | "person"
  /** The idempotency key of a model call, or the id of a tool call or of a request to a person. */
  readonly id: string
  /**
   * Name of the tool. For a model call, the name of the model if it is not the agent's own model.
   * Otherwise empty.
   */
  readonly name: string
  readonly agent: string
  readonly path: string
  readonly branch: string | null
  readonly start: number
  /** Time of the response in milliseconds since the epoch. Null while the call is in flight. */
  readonly end: number | null
  readonly attempts: number
  readonly pauses: readonly RetryPause[]
  readonly error: string | null
  /** Numbers of input and output tokens. Null if the response does not contain them. */
  readonly tokens: { readonly input: number; readonly output: number } | null
}

/** An entry of the event list, which is a single event or a call with all of its events. */
export interface LogEntry {
  /** Index of the entry among all entries of the run, including entries that were dropped. */
  readonly index: number
  /** The `seq` of the first event of the entry. It identifies the entry. */
  readonly seq: number
  /** The events of the entry in order. If the entry is not a call, it contains a single event. */
  readonly events: readonly RunEvent[]
  readonly call: LoggedCall | null
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

interface OpenEntry {
  readonly entry: LogEntry & { readonly events: RunEvent[] }
  readonly call: Mutable<LoggedCall> & { readonly pauses: RetryPause[] }
}

/**
 * Groups the events of a run into the entries of the event list. Each event is processed only once.
 */
export class RunLog {
  readonly #entries: LogEntry[] = []
  #first = 0
  /** Calls without a response, by kind, path and id. */
  readonly #open = new Map<string, OpenEntry>()
  #lastFailed: number | null = null

  /**
   * The `seq` of the model call that caused the last failure of an agent. If no model call caused
   * the failure, the `seq` of the failure event. Null if no agent has failed.
   */
  get cause(): number | null {
    return this.#lastFailed
  }

  /** The latest entries of the event list. Older entries are dropped. */
  get entries(): readonly LogEntry[] {
    return this.#entries
  }

  /** Index of the oldest entry of the event list that is still stored. */
  get first(): number {
    return this.#first
  }

  /**
   * Returns the entry with the given index. Returns undefined if the entry was dropped or does not
   * exist yet.
   */
  entryAt(index: number): LogEntry | undefined {
    return this.#entries[index - this.#first]
  }

  /**
   * Returns the entry whose first event has the number `seq`. Returns undefined if there is no such
   * entry.
   */
  find(seq: number): LogEntry | undefined {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#entries[middle]?.seq ?? 0) < seq) low = middle + 1
      else high = middle
    }
    const found = this.#entries[low]
    return found?.seq === seq ? found : undefined
  }

  /** Drops all entries of the event list whose first event has a number less than `seq`. */
  dropBefore(seq: number): void {
    this.#first += dropOldest(this.#entries, (entry) => entry.seq < seq)
  }

  /** Adds the next event of the run, and returns the entry that contains the event. */
  apply(event: RunEvent): LogEntry {
    const entry = this.#applyToCall(event) ?? this.#add(event, null)
    if (event.type === "agent.finished") {
      const failedCall = this.#endCallsOf(event)
      if (event.error?.agent === event.agent) this.#lastFailed = failedCall ?? entry.seq
    } else if (event.type === "run.finished") {
      for (const { call } of this.#open.values()) call.end = event.at
      this.#open.clear()
    }
    return entry
  }

  #applyToCall(event: RunEvent): LogEntry | null {
    switch (event.type) {
      case "model.called":
        return this.#attempt(event, "model", event.call, event.model ?? "")
      case "tool.called":
        return this.#attempt(event, "tool", event.callId, event.tool)
      case "human.asked":
      case "user.awaited":
        return this.#attempt(event, "person", event.request.id, "")
      case "retry.scheduled":
        return this.#retry(event)
      case "model.fallback":
        return this.#end(event, keyOf("model", event.path, event.of), {
          error: event.error.message,
        })
      case "model.responded": {
        const { usage } = event.answer
        const tokens =
          usage === null ? null : { input: usage.inputTokens, output: usage.outputTokens }
        return this.#end(event, keyOf("model", event.path, event.call), { tokens })
      }
      case "tool.finished":
        return this.#end(event, keyOf("tool", event.path, event.callId), {
          error: event.error ?? null,
        })
      case "human.answered":
      case "user.said":
        return this.#end(event, keyOf("person", "", event.id), {})
      case "request.expired":
        return this.#end(event, keyOf("person", "", event.id), { error: "No answer in time" })
      default:
        return null
    }
  }

  #attempt(event: RunEvent, kind: LoggedCall["kind"], id: string, name: string): LogEntry {
    const { agent, path, branch, at } = event
    const key = keyOf(kind, kind === "person" ? "" : path, id)
    const open = this.#open.get(key)
    if (open !== undefined) {
      open.call.attempts += 1
      open.entry.events.push(event)
      return open.entry
    }
    const call = {
      kind,
      id,
      name,
      agent,
      path,
      branch,
      start: at,
      end: null,
      attempts: 1,
      pauses: [],
      error: null,
      tokens: null,
    }
    const entry = this.#add(event, call)
    this.#open.set(key, { entry, call })
    return entry
  }

  /**
   * Adds the pause before a retry to the entry of the failed call. Returns null if the call is
   * unknown.
   */
  #retry(event: Extract<RunEvent, { type: "retry.scheduled" }>): LogEntry | null {
    const { path, of, callId } = event
    const key = callId === undefined ? keyOf("model", path, of) : keyOf("tool", path, callId)
    const open = this.#open.get(key)
    if (open === undefined) return null
    open.call.pauses.push({ from: event.at, until: event.until, error: event.error.message })
    open.entry.events.push(event)
    return open.entry
  }

  #end(event: RunEvent, key: string, fields: Partial<LoggedCall>): LogEntry | null {
    const open = this.#open.get(key)
    if (open === undefined) return null
    this.#open.delete(key)
    Object.assign(open.call, fields, { end: event.at })
    open.entry.events.push(event)
    return open.entry
  }

  /**
   * Ends the unanswered calls of an agent that has failed or was stopped. Returns the `seq` of the
   * failed model call, or null if no model call failed.
   */
  #endCallsOf({
    path,
    at,
    error,
    outcome,
  }: Extract<RunEvent, { type: "agent.finished" }>): number | null {
    let failed: number | null = null
    for (const [key, { call, entry }] of this.#open) {
      if (call.path !== path) continue
      call.end = at
      if (outcome === "failed" && call.kind === "model") {
        call.error = error?.message ?? "The call failed."
        failed = entry.seq
      }
      this.#open.delete(key)
    }
    return failed
  }

  #add(event: RunEvent, call: LoggedCall | null): OpenEntry["entry"] {
    const index = this.#first + this.#entries.length
    const entry = { index, seq: event.seq, events: [event], call }
    this.#entries.push(entry)
    return entry
  }
}

const keyOf = (kind: LoggedCall["kind"], path: string, id: string): string =>
  `${kind} ${path} ${id}`
