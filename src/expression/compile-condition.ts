import { type Analysis, analyze } from "./check/analyze.js"
import { Budget, type SharedSteps } from "./limits/budget.js"
import { check } from "./check/check.js"
import { codePointLength } from "./characters/code-points.js"
import { ConditionFailed } from "./limits/condition-failed.js"
import { ConditionRefused } from "./limits/condition-refused.js"
import { emit } from "./evaluate/emit.js"
import { Frame } from "./evaluate/frame.js"
import { sessionState } from "./collections/host-values.js"
import { failureHint } from "./hints/failures.js"
import { limits } from "./limits/limits.js"
import { parse } from "./syntax/parse.js"
import { skipSpace, skipSpaceBack } from "./characters/python-whitespace.js"
import { repr } from "./collections/repr.js"
import { Scope } from "./check/scope.js"
import { truthy } from "./collections/truth.js"
import { typeName, type Value } from "./values/values.js"

/** What a condition came to. */
export interface ConditionResult {
  readonly truthy: boolean
  /** Python's name of the type, such as "bool" or "NoneType". */
  readonly type: string
  /** Python's repr, the items of sets sorted. Made when it is first looked at; cut, with "...", when it is very long. */
  readonly repr: string
}

export interface CompiledCondition extends Analysis {
  /** The source as it was given. */
  readonly source: string
  /**
   * Runs the condition on a session state, which is only read. The same state gives the same result. Several evaluations
   * can share a number of steps; each has its own limit besides.
   *
   * @throws ConditionFailed for every error that Python would raise, and when a limit is reached.
   */
  evaluate(state: Readonly<Record<string, unknown>>, shared?: SharedSteps): ConditionResult
}

/**
 * Compiles a condition, an expression of a safe subset of Python over the dict `session_state`; see
 * `docs/conditions.md`. Costs about 10 to 20 microseconds, so compile once and evaluate often.
 *
 * ```ts
 * const condition = compileCondition("session_state.get('score', 0) >= 8")
 * condition.evaluate({ score: 9 }).truthy // true
 * condition.reads // ["score"]
 * ```
 *
 * @throws ConditionRefused when the source is not part of the language.
 */
export function compileCondition(source: string): CompiledCondition {
  const { tree, analysis } = guarded(() => readCondition(source), refusedForDepth)
  const scope = new Scope()
  const run = emit(tree, scope)
  const evaluate: CompiledCondition["evaluate"] = (state, shared) => {
    try {
      const budget = new Budget(shared)
      return result(run(new Frame(sessionState(state, budget), scope.slots, budget)))
    } catch (error) {
      const failure = asFailure(error)
      failure.hint = failureHint(failure.message, analysis.reads)
      throw failure
    }
  }
  return { source, ...analysis, evaluate }
}

function readCondition(source: unknown): {
  readonly tree: ReturnType<typeof parse>
  readonly analysis: Analysis
} {
  if (typeof source !== "string") throw new ConditionRefused("syntax", "A condition is a text", 0)
  const from = skipSpace(source, 0, source.length)
  const to = skipSpaceBack(source, from, source.length)
  if (from === to) throw new ConditionRefused("syntax", "The condition is empty", 0)
  if (source.length > limits.source && codePointLength(source) > limits.source) {
    throw new ConditionRefused(
      "limit",
      `A condition of more than ${limits.source} characters`,
      limits.source,
    )
  }
  refuseDeepBrackets(source)
  refuseStrangeText(source)
  const tree = parse(source, from, to)
  check(tree, source)
  return { tree, analysis: analyze(tree) }
}

/** Counts every bracket, those in strings too: a cheap bound before anything recurses. */
function refuseDeepBrackets(source: string): void {
  let depth = 0
  for (let offset = 0; offset < source.length; offset++) {
    const code = source.charCodeAt(offset)
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > limits.depth)
        throw new ConditionRefused(
          "limit",
          `Brackets nested more than ${limits.depth} deep`,
          offset,
        )
    } else if (code === 41 || code === 93 || code === 125) {
      depth--
    }
  }
}

/** Python reads no source with a null byte or half of a surrogate pair, not even inside a string. */
function refuseStrangeText(source: string): void {
  const strange = /\0|\p{Surrogate}/u.exec(source)
  if (strange !== null)
    throw new ConditionRefused(
      "syntax",
      "A null byte or half a character. Use an escape such as \\x00",
      strange.index,
    )
}

function result(value: Value): ConditionResult {
  const type = typeName(value)
  if (typeof value === "boolean") return { truthy: value, type, repr: value ? "True" : "False" }
  if (value === null) return { truthy: false, type, repr: "None" }
  let text: string | undefined
  return {
    truthy: truthy(value),
    type,
    get repr() {
      text ??= shownRepr(value)
      return text
    },
  }
}

/** Looking at a result never fails; what would cost too much is cut. */
function shownRepr(value: Value): string {
  try {
    return repr(value, new Budget(), true)
  } catch {
    return `<${typeName(value)} too large to show>`
  }
}

function guarded<Result>(work: () => Result, wrap: (error: unknown) => unknown): Result {
  try {
    return work()
  } catch (error) {
    throw wrap(error)
  }
}

function refusedForDepth(error: unknown): unknown {
  return error instanceof ConditionRefused
    ? error
    : new ConditionRefused("limit", "Nested too deeply", 0)
}

/** A state nested a thousand levels deep overflows the stack, a hostile proxy throws what it likes: both are data. */
function asFailure(error: unknown): ConditionFailed {
  if (error instanceof ConditionFailed) return error
  if (error instanceof RangeError)
    return new ConditionFailed("RecursionError", "the session state is nested too deeply", {
      cause: error,
    })
  return new ConditionFailed("UnsupportedError", "the session state cannot be read as data", {
    cause: error,
  })
}
