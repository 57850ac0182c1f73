import type { Scenario, ScriptedResponse } from "../../adapters/scripted/scenario.js"
import type {
  ScriptedCall,
  ScriptedKind,
  ScriptEntry,
  ScriptPosition,
} from "../../adapters/scripted/script-position.js"
import { scriptAfter, startOfScript } from "../../adapters/scripted/script-position.js"

/** One attempt of a call. Its fields determine which scripted response the attempt receives. */
export interface ScriptedAttempt {
  readonly kind: ScriptedKind
  /** Id of the agent, tool or graph node in the scenario. */
  readonly id: string
  readonly call: ScriptedCall
  /** Idempotency key of the call, without the run id. */
  readonly key: string
  readonly attempt: number
}

/** The scripted responses for one run. Selects a response for each attempt of a call. */
export interface AnswersOfRun {
  /** Returns the response to an attempt, or null if the scenario has no response for it. */
  take(attempt: ScriptedAttempt): ScriptedResponse | null
  /**
   * Reserves the next response for an attempt of a call, so that no other attempt receives it. A
   * later `take` with the same attempt returns this response. Only for services that ignore
   * idempotency keys.
   */
  reserve(attempt: ScriptedAttempt): void
  /**
   * Returns whether fixed responses are assigned to a call, so that it receives the same responses
   * in every run. `id` is the id of the service, and `key` is the idempotency key of the call.
   */
  isBound(id: string, key: string): boolean
  /** The scripted responses that the run has received. */
  readonly used: ReadonlySet<ScriptEntry>
  /**
   * The attempts to call services that ignore idempotency keys, oldest first. Only the run without
   * a fault records them. Runs that copy its first part need them to find their next responses.
   */
  readonly ofIgnoring: readonly ScriptedAttempt[]
}

/**
 * Distributes the responses of a scenario to the calls of all runs. In the run without a fault,
 * each call receives the next matching response. In every later run, the call with the same
 * idempotency key receives the same response, regardless of the order. Only services that ignore
 * idempotency keys receive their responses in order again.
 */
export class ScriptedAnswers {
  readonly #scenario: Scenario
  readonly #notIdempotent: ReadonlySet<string>
  /**
   * The responses that each call received in the run without a fault, in the order of its attempts,
   * by idempotency key.
   */
  readonly #bound = new Map<string, ScriptEntry[]>()
  readonly #used = new Set<ScriptEntry>()

  constructor(scenario: Scenario) {
    this.#scenario = scenario
    this.#notIdempotent = new Set(scenario.notIdempotent)
  }

  readonly #isBound = (id: string, key: string): boolean =>
    this.#bound.has(key) && !this.#notIdempotent.has(id)

  /**
   * Returns the responses for the run without a fault. Each response is assigned to the call that
   * receives it, so that later runs return it for the same call.
   */
  ofFirstRun(): AnswersOfRun {
    const position = startOfScript(this.#scenario)
    const ofIgnoring: ScriptedAttempt[] = []
    return {
      used: this.#used,
      ofIgnoring,
      isBound: this.#isBound,
      reserve: () => {},
      take: (attempt) => {
        const { kind, id, call, key } = attempt
        if (this.#notIdempotent.has(id)) ofIgnoring.push(attempt)
        const entry = position.take(kind, id, call)
        if (entry === null) return null
        this.#used.add(entry)
        const bound = this.#bound.get(key)
        if (bound === undefined) this.#bound.set(key, [entry])
        else bound.push(entry)
        return entry.answer
      },
    }
  }

  /**
   * Returns the scripted responses for any run after the first run. The first run is the run
   * without a fault, which determines the responses of each call.
   */
  ofLaterRun(): AnswersOfRun {
    const used = new Set<ScriptEntry>()
    /**
     * Tracks the responses that the run without a fault has not used. Calls that occur only in the
     * current run receive these responses.
     */
    let after: ScriptPosition | null = null
    const fresh = new Map<string, ScriptEntry[]>()
    /**
     * Tracks the used responses of services that ignore idempotency keys. In each run, such a
     * service starts again with its first response.
     */
    let ignoring: ScriptPosition | null = null
    const last = new Map<string, ScriptEntry>()
    const takeNew = ({ kind, id, call, key }: ScriptedAttempt): ScriptEntry | null => {
      after ??= scriptAfter(this.#scenario, this.#used)
      const entries = fresh.get(key) ?? []
      const entry = after.take(kind, id, call) ?? entries.at(-1) ?? null
      if (entry !== null) fresh.set(key, [...entries, entry])
      return entry
    }
    const takeNext = ({ kind, id, call }: ScriptedAttempt): ScriptEntry | null => {
      ignoring ??= startOfScript(this.#scenario)
      const service = `${kind} ${id}`
      const entry = ignoring.take(kind, id, call) ?? last.get(service) ?? null
      if (entry !== null) last.set(service, entry)
      return entry
    }
    const reserved = new Map<string, ScriptEntry | null>()
    const takeReserved = (attempt: ScriptedAttempt): ScriptEntry | null => {
      const id = attemptId(attempt)
      const entry = reserved.get(id)
      if (entry === undefined) return takeNext(attempt)
      reserved.delete(id)
      return entry
    }
    return {
      used,
      ofIgnoring: [],
      isBound: this.#isBound,
      reserve: (attempt) => {
        reserved.set(attemptId(attempt), takeNext(attempt))
      },
      take: (attempt) => {
        const bound = this.#bound.get(attempt.key)
        const entry = this.#notIdempotent.has(attempt.id)
          ? takeReserved(attempt)
          : bound === undefined
            ? takeNew(attempt)
            : (bound[attempt.attempt - 1] ?? bound.at(-1) ?? null)
        if (entry !== null) used.add(entry)
        return entry?.answer ?? null
      },
    }
  }
}

const attemptId = ({ key, attempt }: ScriptedAttempt): string => `${key} ${attempt}`
