import type { End } from "../behavior/behavior.js"
import { unionOfKeys } from "../behavior/deferred-writes.js"
import type { StepSoFar } from "./block-step.js"
import { joinSteps, noStep } from "./block-step.js"
import { isUserMessage } from "./branch.js"
import type { Branch, BranchEdge } from "./branch.js"

/** A summary of the ended branches of a parallel block. It determines how the block ends. */
export interface BlockFlags {
  readonly failed: boolean
  readonly escalated: boolean
  readonly escalates: boolean
  /** The session state keys that the ended branches have written. */
  readonly wrote: readonly string[]
}

export const noFlags: BlockFlags = {
  failed: false,
  escalated: false,
  escalates: false,
  wrote: [],
}

export const unionOf = (one: BlockFlags, other: BlockFlags): BlockFlags => ({
  failed: one.failed || other.failed,
  escalated: one.escalated || other.escalated,
  escalates: one.escalates || other.escalates,
  wrote: unionOfKeys(one.wrote, other.wrote),
})

/**
 * One possible result of several silent branches together, for example that at least one of them
 * failed. A silent branch has no steps that are relevant to the policy.
 */
export interface SilentResults extends StepSoFar {
  readonly flags: BlockFlags
  /**
   * Number of branches that have ended, counted only up to the quorum. The quorum is the number of
   * branches that completes the block.
   */
  readonly count: number
  /** Whether the end of one of the branches can cancel the other branches. */
  readonly cancels: boolean
}

/** The rules that determine how the end of a branch affects its parallel block. */
interface EndRules {
  readonly quorum: number | null
  readonly endOf: (end: End) => End | null
  readonly canCancel: (end: End) => boolean
  readonly flagsOf: (end: End) => BlockFlags
}

/**
 * The silent branches of a parallel block, which have no steps that are relevant to the policy. A
 * silent branch can end at any time, so the order of the ends is irrelevant. Therefore, only the
 * possible results of all silent branches together are stored.
 */
export class SilentBranches {
  readonly #branches: readonly Branch[]
  readonly #rules: EndRules
  readonly #ends = new Map<string, readonly SilentResults[]>()

  constructor(branches: readonly Branch[], rules: EndRules) {
    this.#branches = branches
    this.#rules = rules
  }

  /**
   * Returns the possible results of the first `count` silent branches together, if all of them have
   * ended. Silent branches have no policy-relevant steps.
   */
  all(count: number): readonly SilentResults[] {
    return this.#fold(count, true)
  }

  /**
   * Returns the possible results of the first `count` silent branches together, if any number of
   * them have ended, including none. Silent branches have no policy-relevant steps.
   */
  some(count: number): readonly SilentResults[] {
    return this.#fold(count, false)
  }

  /**
   * Returns the cases in which a single branch ends the whole parallel block, for example by a
   * failure. Considers only the first `count` silent branches (without policy-relevant steps).
   */
  lasts(count: number): readonly { readonly end: End; readonly step: StepSoFar }[] {
    const found = new Map<string, { readonly end: End; readonly step: StepSoFar }>()
    for (const { starts } of this.#branches.slice(0, count))
      for (const edge of starts) {
        const end = edge.end === null ? null : this.#rules.endOf(edge.end)
        const key = JSON.stringify([end, hasMessage(edge)])
        if (end !== null && (found.get(key)?.step.records ?? Infinity) > edge.records)
          found.set(key, { end, step: edge })
      }
    return [...found.values()]
  }

  #fold(count: number, areAllOver: boolean): readonly SilentResults[] {
    const key = `${count} ${areAllOver}`
    let ends = this.#ends.get(key)
    if (ends === undefined) {
      const none: SilentResults = { ...noStep, flags: noFlags, count: 0, cancels: false }
      ends = this.#branches.slice(0, count).reduce<readonly SilentResults[]>(
        (before, { starts }) => {
          const found = areAllOver ? new Map<string, SilentResults>() : keyed(before)
          const own = keyed(starts.flatMap((edge) => this.#endsWith(edge)))
          for (const one of before)
            for (const other of own.values())
              keep(found, {
                ...joinSteps(one, other),
                flags: unionOf(one.flags, other.flags),
                count: Math.min(one.count + other.count, this.#rules.quorum ?? 0),
                cancels: one.cancels || other.cancels,
              })
          return [...found.values()]
        },
        [none],
      )
      this.#ends.set(key, ends)
    }
    return ends
  }

  #endsWith(edge: BranchEdge): readonly SilentResults[] {
    const { endOf, canCancel, flagsOf } = this.#rules
    const { effects, records, descriptions, end } = edge
    if (end === null || endOf(end) !== null) return []
    const count = this.#rules.quorum === null ? 0 : 1
    return [{ effects, records, descriptions, flags: flagsOf(end), count, cancels: canCancel(end) }]
  }
}

const keyed = (all: readonly SilentResults[]): Map<string, SilentResults> => {
  const found = new Map<string, SilentResults>()
  for (const one of all) keep(found, one)
  return found
}

/**
 * Adds a possible result of several branches to `found`. If `found` already contains an equal
 * result, keeps the result with fewer journal records.
 */
function keep(found: Map<string, SilentResults>, one: SilentResults): void {
  const { failed, escalated, escalates, wrote } = one.flags
  const key = [
    failed,
    escalated,
    escalates,
    one.count,
    one.cancels,
    hasMessage(one),
    ...wrote,
  ].join()
  if ((found.get(key)?.records ?? Infinity) > one.records) found.set(key, one)
}

const hasMessage = ({ effects }: StepSoFar): boolean =>
  effects.some((effect) => effect.type === "steps" && effect.visible.some(isUserMessage))
