import { type AlwaysTrue, findAlwaysTrue } from "./always-true.js"
import { childNodes } from "../syntax/child-nodes.js"
import type { Comparison, SyntaxNode } from "../syntax/syntax-tree.js"
import { amountOf } from "../values/values.js"

/** Facts about a condition that are known without evaluating it. */
export interface Analysis {
  /** State keys that the condition reads with a string literal, sorted. */
  readonly reads: readonly string[]
  /** Whether the condition does not use the state, so that its result never changes. */
  readonly constant: boolean
  /** Whether `reads` is incomplete, as in `len(session_state)` or `session_state[name]`. */
  readonly readsOtherKeys: boolean
  /**
   * State keys that are compared with a number without a conversion. If the state contains a string
   * there, the comparison fails or is never true.
   */
  readonly numericComparisons: readonly string[]
  /** Parts that are true for every state, such as the `'b'` of `x == 'a' or 'b'`. */
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
      // An operand in the middle of a chain is compared twice.
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

/** Returns the key of `session_state['k']` or `session_state.get('k', ...)`, otherwise null. */
function keyRead(node: SyntaxNode): string | null {
  if (node.type === "subscript") return isState(node.object) ? literalText(node.index) : null
  if (node.type !== "call" || node.callee.type !== "attribute" || node.callee.name !== "get")
    return null
  const key = node.args[0]
  return isState(node.callee.object) && key !== undefined ? literalText(key) : null
}

/** Returns the keys of `'k' in session_state` and `'k' not in session_state`. */
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
