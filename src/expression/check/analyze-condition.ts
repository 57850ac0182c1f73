import { type AlwaysTrue, findAlwaysTrue } from "./always-true.js"
import { childNodes } from "../syntax/child-nodes.js"
import type { Comparison, SyntaxNode } from "../syntax/syntax-tree.js"
import { amountOf } from "../values/values.js"

/**
 * Properties of a condition that are known without evaluating it. A condition is a Python
 * expression that reads the session state.
 */
export interface Analysis {
  /**
   * State keys that the condition reads with a string literal, such as `session_state['city']`, in
   * sorted order.
   */
  readonly reads: readonly string[]
  /** Whether the condition does not read the state. Its result is then always the same. */
  readonly constant: boolean
  /**
   * Whether the condition can read keys that are not in `reads`, as in `len(session_state)` or
   * `session_state[name]`.
   */
  readonly readsOtherKeys: boolean
  /**
   * State keys whose values are compared with a number without a conversion, such as `'score'` for
   * `session_state['score'] > 5`. If the value of such a key is a string, the comparison fails or
   * is never true.
   */
  readonly numericComparisons: readonly string[]
  /**
   * Parts of the condition that are true for every session state, for example the `'b'` in `x ==
   * 'a' or 'b'`.
   */
  readonly alwaysTrue: readonly AlwaysTrue[]
}

export function analyze(tree: SyntaxNode): Analysis {
  const reads = new Set<string>()
  const numeric = new Set<string>()
  let uses = 0
  let usesOfKeys = 0
  const addRead = (key: string): void => {
    reads.add(key)
    usesOfKeys++
  }
  const visit = (node: SyntaxNode): void => {
    if (isState(node)) uses++
    const key = keyRead(node)
    if (key !== null) addRead(key)
    if (node.type === "comparison") {
      for (const tested of keysTested(node)) addRead(tested)
      // An operand in the middle of a comparison chain is used twice: in the comparisons before and
      // after it.
      uses += node.operands.slice(1, -1).filter(isState).length
      for (const compared of keysComparedWithNumbers(node)) numeric.add(compared)
    }
    childNodes(node).forEach(visit)
  }
  visit(tree)
  return {
    reads: [...reads].sort(),
    constant: uses === 0,
    readsOtherKeys: uses > usesOfKeys,
    numericComparisons: [...numeric].sort(),
    alwaysTrue: findAlwaysTrue(tree),
  }
}

/**
 * Returns the state key that an expression reads, such as `'k'` for `session_state['k']` and
 * `session_state.get('k')`. Returns null for other expressions.
 */
function keyRead(node: SyntaxNode): string | null {
  if (node.type === "subscript") return isState(node.object) ? literalText(node.index) : null
  if (node.type !== "call" || node.callee.type !== "attribute" || node.callee.name !== "get")
    return null
  const key = node.args[0]
  return isState(node.callee.object) && key !== undefined ? literalText(key) : null
}

/**
 * Returns the state keys that a comparison searches in the session state, such as `'k'` for `'k' in
 * session_state`.
 */
function keysTested(node: Comparison): readonly string[] {
  return node.operators.flatMap((operator, index) => {
    const key = literalText(node.operands[index]!)
    const tested =
      (operator === "in" || operator === "not in") && isState(node.operands[index + 1]!)
    return tested && key !== null ? [key] : []
  })
}

function keysComparedWithNumbers(node: Comparison): readonly string[] {
  return node.operators.flatMap((operator, index) => {
    if (
      operator !== "==" &&
      operator !== "<" &&
      operator !== "<=" &&
      operator !== ">" &&
      operator !== ">="
    )
      return []
    const left = node.operands[index]!
    const right = node.operands[index + 1]!
    const key = isNumber(right) ? keyRead(left) : isNumber(left) ? keyRead(right) : null
    return key === null ? [] : [key]
  })
}

function isNumber(node: SyntaxNode): boolean {
  if (node.type === "unary")
    return (node.operator === "-" || node.operator === "+") && isNumber(node.operand)
  return (
    node.type === "constant" &&
    typeof node.value !== "boolean" &&
    amountOf(node.value) !== undefined
  )
}

function isState(node: SyntaxNode): boolean {
  return node.type === "name" && node.id === "session_state"
}

function literalText(node: SyntaxNode): string | null {
  return node.type === "constant" && typeof node.value === "string" ? node.value : null
}
