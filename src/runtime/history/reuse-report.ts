import type { TokenUsage } from "../../machines/contract/budget.js"
import type { KnownCall } from "./call-key.js"
import { calledToolOf } from "./past-calls.js"

/** Numbers of model calls and tool calls. A call with several attempts counts once. */
export interface ReuseCounts {
  readonly models: number
  readonly tools: number
}

/**
 * A call that received no recorded result, and its differences from the recorded call with the same
 * key.
 */
export interface Divergence {
  readonly kind: "model" | "tool"
  /** Agent path and number of the call, such as `pipeline/writer#0`. */
  readonly key: string
  /**
   * Names of the request fields that differ. It is `["call"]` if the recorded run has no call with
   * this key, and `[]` if the recorded call failed or has no result.
   */
  readonly differs: readonly string[]
}

/**
 * A report about a run that reuses recorded results: which calls received a recorded result, and
 * which calls were made.
 */
export interface ReuseReport {
  readonly calls: { readonly made: ReuseCounts; readonly reused: ReuseCounts }
  /** The first model or tool call that did not receive a recorded result; null if there is none. */
  readonly firstDivergence: Divergence | null
  /**
   * Names of the tools that were actually called, sorted. Tools whose recorded results were reused
   * are not included.
   */
  readonly calledTools: readonly string[]
  /**
   * Tokens and cost of the reused model calls. `cost` is null if none of them has a recorded cost.
   */
  readonly reusedUsage: { readonly tokens: number; readonly cost: number | null }
  /** Calls that were skipped because of the option `offline`, in order. They have no result. */
  readonly unanswered: readonly KnownCall[]
}

/** `ReuseCounts` with writable fields. */
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
   * Counts a call as made or as reused. Further attempts and steps of the same call are not
   * counted.
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
   * Records that a call had no recorded result. `order` is the number of the call. The call with
   * the lowest number becomes the first divergence of the report.
   */
  diverged(known: KnownCall, kind: CallKind, order: number, differs: readonly string[]): void {
    if (kind !== null && (this.#first === null || order < this.#first.order))
      this.#first = { order, divergence: { kind, key: publicKey(known), differs } }
  }

  /**
   * Adds a call that was skipped because of the option `offline` to the report. Returns a function
   * that removes the call from the report.
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
 * Returns a call's key as reports show it. All steps of a host function have the same key, and so
 * do all calls that wait for the same child run.
 */
function publicKey({ kind, key }: KnownCall): string {
  if (kind === "host") return key.slice(0, key.lastIndexOf("."))
  return kind === "workflow" ? (key.split(" ")[0] ?? key) : key
}
