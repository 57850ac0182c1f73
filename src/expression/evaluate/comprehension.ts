import { treeSize } from "../syntax/child-nodes.js"
import { ConditionFailed, raise } from "../limits/condition-failed.js"
import type { Evaluate, EvaluationFrame } from "./evaluation-frame.js"
import { HashDict, HashSet } from "../collections/hash-tables.js"
import { collect, iterate } from "../collections/iterate.js"
import type { VariableScope } from "../check/variable-scope.js"
import { stream } from "../collections/streams.js"
import type { Comprehension, DictComprehension, SyntaxNode } from "../syntax/syntax-tree.js"
import { truthy } from "../collections/truth.js"
import { ArrayList, type Cursor, typeName, type Value } from "../values/values.js"

type Emit = (node: SyntaxNode, scope: VariableScope) => Evaluate
type Bind = (value: Value, frame: EvaluationFrame) => void

interface Clause {
  readonly iterable: Evaluate
  readonly bind: Bind
  readonly conditions: readonly Evaluate[]
}

export function emitComprehension(
  node: Comprehension,
  outer: VariableScope,
  inner: VariableScope,
  emit: Emit,
): Evaluate {
  const start = emitClauses(node, outer, inner, emit)
  const element = emit(node.element, inner)
  switch (node.type) {
    case "generator":
      return (frame) => {
        const advance = start(frame)
        return stream("generator", () => {
          try {
            return advance() ? element(frame) : undefined
          } catch (error) {
            throw escaping(error)
          }
        })
      }
    case "list-comprehension":
      return (frame) => {
        const advance = start(frame)
        const items: Value[] = []
        while (advance()) {
          items.push(element(frame))
          frame.budget.collection(items.length)
        }
        return new ArrayList(items)
      }
    case "set-comprehension":
      return (frame) => {
        const advance = start(frame)
        const set = new HashSet()
        while (advance()) set.add(element(frame), frame.budget)
        return set
      }
  }
}

export function emitDictComprehension(
  node: DictComprehension,
  outer: VariableScope,
  inner: VariableScope,
  emit: Emit,
): Evaluate {
  const start = emitClauses(node, outer, inner, emit)
  const key = emit(node.key, inner)
  const value = emit(node.value, inner)
  return (frame) => {
    const advance = start(frame)
    const dict = new HashDict()
    while (advance()) dict.set(key(frame), value(frame), frame.budget)
    return dict
  }
}

/**
 * Converts a StopIteration that is raised inside a generator to a RuntimeError, as Python does.
 * Otherwise, the caller would interpret it as the end of the generator.
 */
function escaping(error: unknown): unknown {
  if (!(error instanceof ConditionFailed) || error.pyType !== "StopIteration") return error
  return new ConditionFailed("RuntimeError", "generator raised StopIteration", { cause: error })
}

/**
 * Compiles the `for` and `if` clauses of a comprehension to a function that starts the loop. This
 * function returns another function, which advances the loop to the next iteration. The latter
 * returns true, or false at the end of the loop.
 *
 * As in Python, the first iterable is evaluated once in the outer scope. The other iterables are
 * evaluated in each iteration of the enclosing clause.
 */
function emitClauses(
  node: Comprehension | DictComprehension,
  outer: VariableScope,
  inner: VariableScope,
  emit: Emit,
): (frame: EvaluationFrame) => () => boolean {
  const first = emit(node.clauses[0]!.iterable, outer)
  // Declare all loop variables first: in an earlier clause, the variable of a later clause is
  // already local but has no value.
  const bound = node.clauses.map((clause) => ({ clause, bind: emitTarget(clause.target, inner) }))
  const clauses: Clause[] = bound.map(({ clause, bind }, index) => ({
    iterable: index === 0 ? first : emit(clause.iterable, inner),
    bind,
    conditions: clause.conditions.map((condition) => emit(condition, inner)),
  }))
  // The step for an item covers up to 16 syntax nodes. Larger bodies cost additional steps.
  const extra = Math.floor(treeSize(node) / 16)
  const slots = inner.ownSlots()
  return (frame) => {
    const cursors: Cursor[] = [iterate(first(frame), frame.budget)]
    for (const slot of slots) frame.variables[slot] = undefined
    let level = 0
    return () => {
      for (;;) {
        const item = cursors[level]!.next()
        if (item === undefined) {
          if (level === 0) return false
          level--
          continue
        }
        if (extra > 0) frame.budget.spend(extra)
        const clause = clauses[level]!
        clause.bind(item, frame)
        if (!allHold(clause.conditions, frame)) continue
        if (level === clauses.length - 1) return true
        level++
        cursors[level] = iterate(clauses[level]!.iterable(frame), frame.budget)
      }
    }
  }
}

function allHold(conditions: readonly Evaluate[], frame: EvaluationFrame): boolean {
  for (let index = 0; index < conditions.length; index++)
    if (!truthy(conditions[index]!(frame))) return false
  return true
}

function emitTarget(target: SyntaxNode, scope: VariableScope): Bind {
  if (target.type === "name") {
    const slot = scope.declare(target.id)
    return (value, frame) => {
      frame.variables[slot] = value
    }
  }
  const elements = target.type === "tuple" ? target.elements : []
  const binds = elements.map((element) => emitTarget(element, scope))
  return (value, frame) => {
    const items = unpack(value, binds.length, frame)
    for (let index = 0; index < binds.length; index++) binds[index]!(items[index]!, frame)
  }
}

function unpack(value: Value, count: number, frame: EvaluationFrame): readonly Value[] {
  const hasItems =
    typeof value === "string" ||
    (typeof value === "object" &&
      value !== null &&
      value.kind !== "float" &&
      value.kind !== "slice")
  if (!hasItems) return raise("TypeError", `cannot unpack non-iterable ${typeName(value)} object`)
  const items = collect(value, frame.budget)
  if (items.length > count) raise("ValueError", `too many values to unpack (expected ${count})`)
  if (items.length < count)
    raise("ValueError", `not enough values to unpack (expected ${count}, got ${items.length})`)
  return items
}
