import {
  add,
  divide,
  floorDivide,
  modulo,
  multiply,
  negate,
  type BinaryOperation,
  plus,
  power,
  subtract,
  unsupported,
} from "../operators/arithmetic.js"
import { bitAnd, bitOr, bitXor, invert, shiftLeft, shiftRight } from "../operators/bitwise.js"
import { StepBudget } from "../limits/step-budget.js"
import { emitComparison } from "./emit-comparison.js"
import { emitBuiltinCall, emitIsinstance, emitMethodCall } from "./emit-call.js"
import { emitComprehension, emitDictComprehension } from "./comprehension.js"
import { raise } from "../limits/condition-failed.js"
import { formatPattern } from "../check/check-format-call.js"
import { emitFormatCall, emitFormatted } from "./emit-format.js"
import type { Evaluate } from "./evaluation-frame.js"
import { HashDict, HashSet, makeSet } from "../collections/hash-tables.js"
import { emitKeyFunction } from "./key-functions.js"
import { mappingBuiltins } from "../syntax/language.js"
import { VariableScope } from "../check/variable-scope.js"
import { displayTable, grownTable } from "../collections/set-table.js"
import { itemOf, subscript } from "../collections/subscript.js"
import type {
  BinaryOperator,
  BooleanChain,
  Call,
  Constant,
  Subscript,
  SyntaxNode,
  UnaryOperator,
} from "../syntax/syntax-tree.js"
import { truthy } from "../collections/truth.js"
import { ArrayList, Slice, Tuple, type Value } from "../values/values.js"

/**
 * Compiles a checked syntax tree of a condition to a function. All decisions that depend only on
 * the source are made at compile time, so that evaluations are fast.
 */
export function emit(node: SyntaxNode, scope: VariableScope): Evaluate {
  switch (node.type) {
    case "constant":
      return constant(node.value)
    case "name":
      return emitName(node.id, scope)
    case "list": {
      const elements = emitAll(node.elements, scope)
      const values = constantValues(node.elements)
      // No operation modifies a list or set, so a constant one is created once and shared.
      if (values !== null) return constant(new ArrayList(values))
      return (frame) => new ArrayList(Array.from(elements, (element) => element(frame)))
    }
    case "tuple": {
      const elements = emitAll(node.elements, scope)
      const values = constantValues(node.elements)
      if (values !== null) return constant(new Tuple(values))
      return (frame) => new Tuple(Array.from(elements, (element) => element(frame)))
    }
    case "set": {
      const elements = emitAll(node.elements, scope)
      const values = constantValues(node.elements)
      const arrange =
        elements.length > 2 && node.elements.every(isFoldable) ? displayTable : grownTable
      if (values !== null) return constant(makeSet(values, new StepBudget(), arrange))
      return (frame) => {
        frame.budget.spend(1)
        const set = new HashSet(arrange)
        // Python evaluates all elements before it hashes the first one.
        for (const item of Array.from(elements, (element) => element(frame)))
          set.add(item, frame.budget)
        return set
      }
    }
    case "dict": {
      const keys = emitAll(
        node.keys.filter((key) => key !== null),
        scope,
      )
      const values = emitAll(node.values, scope)
      return (frame) => {
        frame.budget.spend(1)
        const dict = new HashDict()
        const pairs = Array.from(keys, (key, index) => [key(frame), values[index]!(frame)] as const)
        for (const [key, value] of pairs) dict.set(key, value, frame.budget)
        return dict
      }
    }
    case "boolean":
      return emitBoolean(node, scope)
    case "unary":
      return emitUnary(node.operator, emit(node.operand, scope))
    case "binary": {
      const left = emit(node.left, scope)
      const right = emit(node.right, scope)
      const operation = operations[node.operator]
      return (frame) => operation(left(frame), right(frame), frame.budget)
    }
    case "comparison":
      return emitComparison(node, scope, emit)
    case "conditional": {
      const test = emit(node.test, scope)
      const body = emit(node.body, scope)
      const otherwise = emit(node.otherwise, scope)
      return (frame) => (truthy(test(frame)) ? body(frame) : otherwise(frame))
    }
    case "call":
      return emitCall(node, scope)
    case "subscript":
      return emitSubscript(node, scope)
    case "slice": {
      const bound = (part: SyntaxNode | null): Evaluate =>
        part === null ? constant(null) : emit(part, scope)
      const [lower, upper, step] = [bound(node.lower), bound(node.upper), bound(node.step)]
      return (frame) => new Slice(lower(frame), upper(frame), step(frame))
    }
    case "list-comprehension":
    case "set-comprehension":
    case "generator":
      return emitComprehension(node, scope, new VariableScope(scope), emit)
    case "dict-comprehension":
      return emitDictComprehension(node, scope, new VariableScope(scope), emit)
    case "formatted-text":
      return emitFormatted(node, scope, emit)
    case "attribute":
    case "forbidden":
      return () => raise("UnsupportedError", "this was refused by the check")
  }
}

function constant(value: Value): Evaluate {
  return () => value
}

function emitAll(nodes: readonly SyntaxNode[], scope: VariableScope): readonly Evaluate[] {
  return nodes.map((node) => emit(node, scope))
}

/** Returns the values of the nodes if all nodes are constants. Otherwise, returns null. */
function constantValues(nodes: readonly SyntaxNode[]): readonly Value[] | null {
  return nodes.every((node): node is Constant => node.type === "constant")
    ? nodes.map((node) => node.value)
    : null
}

/**
 * Returns whether CPython evaluates a node at compile time. CPython does this for constants, signed
 * numbers, and tuples of them.
 */
function isFoldable(node: SyntaxNode): boolean {
  if (node.type === "tuple") return node.elements.every(isFoldable)
  return node.type === "constant" || (node.type === "unary" && isFoldable(node.operand))
}

function emitName(id: string, scope: VariableScope): Evaluate {
  const slot = scope.lookup(id)
  if (slot === undefined) return (frame) => frame.state
  return (frame) => {
    const value = frame.variables[slot]
    return value !== undefined
      ? value
      : raise(
          "UnboundLocalError",
          `cannot access local variable '${id}' where it is not associated with a value`,
        )
  }
}

function emitBoolean(node: BooleanChain, scope: VariableScope): Evaluate {
  const operands = emitAll(node.operands, scope)
  const decisive = node.operator === "or"
  const last = operands.length - 1
  return (frame) => {
    for (let index = 0; index < last; index++) {
      const value = operands[index]!(frame)
      if (truthy(value) === decisive) return value
    }
    return operands[last]!(frame)
  }
}

function emitUnary(operator: UnaryOperator, operand: Evaluate): Evaluate {
  switch (operator) {
    case "not":
      return (frame) => !truthy(operand(frame))
    case "-":
      return (frame) => negate(operand(frame))
    case "+":
      return (frame) => plus(operand(frame))
    case "~":
      return (frame) => invert(operand(frame))
  }
}

const operations: Readonly<Record<BinaryOperator, BinaryOperation>> = {
  "+": add,
  "-": subtract,
  "*": multiply,
  "/": divide,
  "//": floorDivide,
  "%": modulo,
  "**": power,
  "&": bitAnd,
  "|": bitOr,
  "^": bitXor,
  "<<": shiftLeft,
  ">>": shiftRight,
  "@": (left, right) => unsupported("@", left, right),
}

function emitCall(node: Call, scope: VariableScope): Evaluate {
  const { callee } = node
  if (callee.type === "name" && callee.id === "isinstance")
    return emitIsinstance(node, emit(node.args[0]!, scope))
  const mapping = callee.type === "name" && mappingBuiltins.has(callee.id)
  const args = emitAll(mapping ? node.args.slice(1) : node.args, scope)
  const isKey = ({ name }: { readonly name: string | null }): boolean =>
    callee.type === "name" && name === "key" && callee.id !== "dict"
  const keywords = node.keywords
    .filter((keyword) => !isKey(keyword))
    .map((keyword): readonly [string, Evaluate] => [keyword.name!, emit(keyword.value, scope)])
  const pattern = formatPattern(callee)
  if (pattern !== null) return emitFormatCall(pattern, args, keywords)
  if (callee.type === "attribute")
    return emitMethodCall(
      callee,
      args,
      keywords,
      emit(callee.object, scope),
      isState(callee.object, scope),
    )
  const named = mapping ? node.args[0] : node.keywords.find(isKey)?.value
  const keyFunction = named === undefined ? null : emitKeyFunction(named, scope, emit)
  return emitBuiltinCall(callee.type === "name" ? callee.id : "", args, keywords, keyFunction)
}

function emitSubscript(node: Subscript, scope: VariableScope): Evaluate {
  const { index: indexNode } = node
  if (
    isState(node.object, scope) &&
    indexNode.type === "constant" &&
    typeof indexNode.value === "string"
  ) {
    const key = indexNode.value
    return (frame) => itemOf(frame.state, key, frame.budget)
  }
  const object = emit(node.object, scope)
  const index = emit(indexNode, scope)
  return (frame) => subscript(object(frame), index(frame), frame.budget)
}

function isState(node: SyntaxNode, scope: VariableScope): boolean {
  return node.type === "name" && scope.lookup(node.id) === undefined
}
