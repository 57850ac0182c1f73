import { bitLength } from "../numbers/bit-length.js"
import { codePointLength } from "../characters/code-points.js"
import { ConditionRefused } from "../limits/condition-refused.js"
import { limits } from "../limits/limits.js"
import type { Binary, SyntaxNode } from "../syntax/syntax-tree.js"

/**
 * The result of a constant expression, which is computed at compile time. It is needed to reject
 * expressions with huge results, such as `10 ** 10 ** 8` and `[0] * 10 ** 9`. For a text or a list,
 * only the length is known.
 */
type Known =
  | { readonly type: "integer"; readonly value: bigint }
  | { readonly type: "number" }
  | { readonly type: "text" | "list"; readonly length: number }

/**
 * Throws if a binary expression is constant and its result would exceed a limit, such as
 * `10 ** 10 ** 8`.
 */
export function checkStaticSize(node: Binary): void {
  known(node)
}

/**
 * Returns the value of a constant integer expression, such as -3n for `-(1 + 2)`. Returns null for
 * other expressions.
 */
export function staticInteger(node: SyntaxNode | undefined): bigint | null {
  const value = node === undefined ? null : known(node)
  return value?.type === "integer" ? value.value : null
}

/**
 * Returns the number of iterations of a call `range(...)` with constant arguments. Returns 1 for
 * other nodes.
 */
export function staticIterations(node: SyntaxNode): number {
  if (
    node.type !== "call" ||
    node.callee.type !== "name" ||
    node.callee.id !== "range" ||
    node.args.length === 0
  )
    return 1
  const bounds: bigint[] = []
  for (const argument of node.args) {
    const bound = known(argument)
    if (bound?.type !== "integer") return 1
    bounds.push(bound.value)
  }
  const [start, stop] = bounds.length === 1 ? [0n, bounds[0]!] : [bounds[0]!, bounds[1]!]
  const step = bounds[2] ?? 1n
  if (bounds.length > 3 || step === 0n) return 0
  const length = step > 0n ? (stop - start + step - 1n) / step : (start - stop - step - 1n) / -step
  return length > 0n ? Number(length) : 0
}

/**
 * Returns the result of a constant expression. Returns null if the expression is not constant, or
 * if its result is not relevant to the size limits.
 */
function known(node: SyntaxNode): Known | null {
  switch (node.type) {
    case "constant":
      return knownConstant(node.value)
    case "unary":
      return node.operator === "-" ? negated(node.operand) : null
    case "list":
    case "tuple":
      return { type: "list", length: node.elements.length }
    case "binary":
      return knownBinary(node)
  }
  return null
}

function knownConstant(value: unknown): Known | null {
  if (typeof value === "string") return { type: "text", length: codePointLength(value) }
  if (typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value)))
    return { type: "integer", value: BigInt(value) }
  return typeof value === "number" || (typeof value === "object" && value !== null)
    ? { type: "number" }
    : null
}

function negated(operand: SyntaxNode): Known | null {
  // In Python, `-True` is the integer -1.
  if (operand.type === "constant" && typeof operand.value === "boolean")
    return { type: "integer", value: operand.value ? -1n : 0n }
  const inner = known(operand)
  if (inner?.type === "integer") return { type: "integer", value: -inner.value }
  return inner?.type === "number" ? inner : null
}

function knownBinary(node: Binary): Known | null {
  const left = known(node.left)
  const right = known(node.right)
  if (left === null || right === null) return null
  if (left.type === "integer" && right.type === "integer")
    return integerResult(node, left.value, right.value)
  if (node.operator !== "*") return null
  const sequence = left.type === "text" || left.type === "list" ? left : right
  const times = sequence === left ? right : left
  if ((sequence.type !== "text" && sequence.type !== "list") || times.type !== "integer")
    return null
  const most = sequence.type === "text" ? limits.text : limits.repetition
  if (BigInt(sequence.length) * times.value > BigInt(most)) {
    throw new ConditionRefused(
      "resource",
      `The result would have more than ${most} items. Use a smaller factor`,
      node.start,
    )
  }
  return { type: sequence.type, length: Math.max(0, sequence.length * Number(times.value)) }
}

function integerResult(node: Binary, left: bigint, right: bigint): Known | null {
  switch (node.operator) {
    case "+":
      return integer(left + right)
    case "-":
      return integer(left - right)
    case "*":
      return integer(left * right)
    case "**":
      return constantPower(node, left, right)
    case "<<":
      if (right > BigInt(limits.integerBits))
        throw new ConditionRefused(
          "resource",
          `The result of the shift would have more than ${limits.integerBits} bits. Use smaller numbers`,
          node.start,
        )
      return right < 0n ? null : integer(left << right)
  }
  return null
}

function constantPower(node: Binary, base: bigint, exponent: bigint): Known | null {
  if (exponent < 0n) return null
  const small = base >= -1n && base <= 1n
  if (!small && BigInt(bitLength(base)) * exponent > BigInt(limits.integerBits)) {
    throw new ConditionRefused(
      "resource",
      `The result of the power would have more than ${limits.integerBits} bits. Use smaller numbers`,
      node.start,
    )
  }
  if (!small) return integer(base ** exponent)
  if (exponent === 0n) return integer(1n)
  return integer(base === -1n && exponent % 2n === 0n ? 1n : base)
}

/**
 * Wraps an integer as the result of a constant expression. Returns null for a very large integer,
 * which is checked at run time.
 */
function integer(value: bigint): Known | null {
  return bitLength(value) > 4 * limits.resultBits ? null : { type: "integer", value }
}
