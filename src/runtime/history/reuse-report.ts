import type { TokenUsage } from "../../machines/contract/budget.js"
import type { KnownCall } from "./call-key.js"
import { calledToolOf } from "./past-calls.js"

/** Number of model calls and of tool calls. A call with several attempts counts once. */
export interface ReuseCounts {
  readonly models: number
  readonly tools: number
}

/**
 * A call for which no recorded result could be used, and the differences from the recorded call
 * with the same key.
 */
export interface Divergence {
  readonly kind: "model" | "tool"
  /** Path of the agent and number of the call, for example `pipeline/writer#0`. */
  readonly key: string
  /**
   * Names of the request fields that differ from the recorded call. It is `["call"]` if the
   * recorded run has no call with this key, and `[]` if the recorded call failed or has no result.
   */
  readonly differs: readonly string[]
}

/**
 * Report of a run that reuses recorded results. It shows which calls received a recorded result,
 * and which calls were made.
 */
export interface ReuseReport {
  readonly calls: { readonly made: ReuseCounts; readonly reused: ReuseCounts }
  /**
   * The first model or tool call for which no recorded result could be used. null if all calls
   * received a recorded result.
   */
  readonly firstDivergence: Divergence | null
  /**
   * Names of the tools that were really called, in alphabetical order. Tools that only returned
   * recorded results are not included.
   */
  readonly calledTools: readonly string[]
  /**
   * Tokens and cost of the model calls that received a recorded result. `cost` is null if none of
   * the recorded responses contains a cost.
   */
  readonly reusedUsage: { readonly tokens: number; readonly cost: number | null }
  /**
   * Calls that were skipped because of the option `offline`, in the order of their start. They have
   * no result.
   */
  readonly unanswered: readonly KnownCall[]
}

/** A `ReuseCounts` object whose fields can be changed. */
type Counts = { -readonly [Field in keyof ReuseCounts]: number }

type CallKind = "model" | "tool" | null

/** Collects the data of a `ReuseReport` while a run is executed. */
export class ReuseCounter {
  readonly #counts = { made: { models: 0, tools: 0 }, reused: { models: 0, tools: 0 } }
  readonly #counted = new Set<string>()
  readonly #calledTools = new Set<string>()
  readonly #unanswered = new Set<KnownCall>()
  #reusedTokens = 0
  #reusedCost: number | null = null
  #first: { readonly order: number; readonly divergence: Divergence } | null = null

  /**
   * Counts a call as made or as reused. Further attempts of the same call, and further steps of a
   * host function, are not counted.
   */
  count(as: "made" | "reused", known: KnownCall, kind: CallKind): void {
    if (as === "made" && kind === "tool") this.#calledTools.add(calledToolOf(known))
    const call = `${as} ${known.kind} ${publicKey(known)}`
    if (kind === null || this.#counted.has(call)) return
    this.#counted.add(call)
    const counts: Counts = this.#counts[as]
    if (kind === "model") counts.models++
    else counts.tools++
  }

  addUsage({ inputTokens, outputTokens, cost }: TokenUsage): void {
    this.#reusedTokens += inputTokens + outputTokens
    if (cost !== undefined) this.#reusedCost = (this.#reusedCost ?? 0) + cost
  }

  /**
   * Adds a call for which no recorded result could be used. `order` is the number of the call, in
   * the order of starts. The report shows the call with the lowest number as its first divergence.
   */
  diverged(known: KnownCall, kind: CallKind, order: number, differs: readonly string[]): void {
    if (kind !== null && (this.#first === null || order < this.#first.order))
      this.#first = { order, divergence: { kind, key: publicKey(known), differs } }
  }

  /**
   * Adds a call that was skipped because of the option `offline` to the report. Returns a function
   * that removes the call again, if the run stops it.
   */
  unanswered(known: KnownCall): () => void {
    this.#unanswered.add(known)
    return () => void this.#unanswered.delete(known)
  }

  get hasUnanswered(): boolean {
    return this.#unanswered.size > 0
  }

  report(): ReuseReport {
    const { made, reused } = this.#counts
    return {
      calls: { made: { ...made }, reused: { ...reused } },
      firstDivergence: this.#first?.divergence ?? null,
      calledTools: [...this.#calledTools].sort(),
      reusedUsage: { tokens: this.#reusedTokens, cost: this.#reusedCost },
      unanswered: [...this.#unanswered],
    }
  }
}

/**
 * Returns the key that the report shows for a call. All steps of a host function have the same key,
 * so they count as one call. The same applies to all calls that wait for the same child run.
 */
function publicKey({ kind, key }: KnownCall): string {
  if (kind === "host") return key.slice(0, key.lastIndexOf("."))
  return kind === "workflow" ? (key.split(" ")[0] ?? key) : key
}
