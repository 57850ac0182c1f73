import type { RefusalReason } from "../limits/condition-refused.js"
import type { Value } from "../values/values.js"

/**
 * The syntax tree of a condition. It has the same nodes as Python's `ast`, because the limits of
 * conditions count the nodes and the depth of this tree. `start` is an offset in the source.
 */
export type SyntaxNode =
  | Constant
  | Name
  | Sequence
  | SetDisplay
  | DictDisplay
  | BooleanChain
  | Unary
  | Binary
  | Comparison
  | Conditional
  | Call
  | Attribute
  | Subscript
  | SliceParts
  | Comprehension
  | DictComprehension
  | FormattedText
  | Forbidden

export interface Constant {
  readonly type: "constant"
  readonly start: number
  readonly value: Value
}

export interface Name {
  readonly type: "name"
  readonly start: number
  readonly id: string
}

interface Sequence {
  readonly type: "list" | "tuple"
  readonly start: number
  readonly elements: readonly SyntaxNode[]
}

interface SetDisplay {
  readonly type: "set"
  readonly start: number
  readonly elements: readonly SyntaxNode[]
}

/** A Python dict literal. If a key is null, its value is unpacked, as in `{**mapping}`. */
interface DictDisplay {
  readonly type: "dict"
  readonly start: number
  readonly keys: readonly (SyntaxNode | null)[]
  readonly values: readonly SyntaxNode[]
}

export interface BooleanChain {
  readonly type: "boolean"
  readonly start: number
  readonly operator: "and" | "or"
  readonly operands: readonly SyntaxNode[]
}

export type UnaryOperator = "not" | "-" | "+" | "~"

interface Unary {
  readonly type: "unary"
  readonly start: number
  readonly operator: UnaryOperator
  readonly operand: SyntaxNode
}

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "//"
  | "%"
  | "**"
  | "@"
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"

export interface Binary {
  readonly type: "binary"
  readonly start: number
  readonly operator: BinaryOperator
  readonly left: SyntaxNode
  readonly right: SyntaxNode
}

export type ComparisonOperator =
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "is"
  | "is not"
  | "in"
  | "not in"

/**
 * A chain of comparisons, such as `a < b <= c`. The operator with index n is between the operands
 * with the indexes n and n + 1.
 */
export interface Comparison {
  readonly type: "comparison"
  readonly start: number
  readonly operators: readonly ComparisonOperator[]
  readonly operands: readonly SyntaxNode[]
}

interface Conditional {
  readonly type: "conditional"
  readonly start: number
  readonly test: SyntaxNode
  readonly body: SyntaxNode
  readonly otherwise: SyntaxNode
}

/**
 * A keyword argument of a call, such as `key=len`. If `name` is null, the value is unpacked, as in
 * `f(**mapping)`.
 */
export interface Keyword {
  readonly name: string | null
  readonly start: number
  readonly value: SyntaxNode
}

export interface Call {
  readonly type: "call"
  readonly start: number
  readonly callee: SyntaxNode
  readonly args: readonly SyntaxNode[]
  readonly keywords: readonly Keyword[]
}

export interface Attribute {
  readonly type: "attribute"
  readonly start: number
  readonly object: SyntaxNode
  readonly name: string
}

export interface Subscript {
  readonly type: "subscript"
  readonly start: number
  readonly object: SyntaxNode
  readonly index: SyntaxNode
}

interface SliceParts {
  readonly type: "slice"
  readonly start: number
  readonly lower: SyntaxNode | null
  readonly upper: SyntaxNode | null
  readonly step: SyntaxNode | null
}

export interface ForClause {
  readonly start: number
  readonly target: SyntaxNode
  readonly iterable: SyntaxNode
  readonly conditions: readonly SyntaxNode[]
  readonly isAsync: boolean
}

export interface Comprehension {
  readonly type: "list-comprehension" | "set-comprehension" | "generator"
  readonly start: number
  readonly element: SyntaxNode
  readonly clauses: readonly ForClause[]
}

export interface DictComprehension {
  readonly type: "dict-comprehension"
  readonly start: number
  readonly key: SyntaxNode
  readonly value: SyntaxNode
  readonly clauses: readonly ForClause[]
}

/** A field of an f-string, such as `{score:.2f}`. */
export interface FormattedField {
  readonly type: "field"
  readonly start: number
  readonly value: SyntaxNode
  readonly conversion: "s" | "r" | "a" | null
  /**
   * Format specification, which is the text after the colon, such as `.2f`. Empty if there is none.
   */
  readonly spec: string
}

export interface FormattedText {
  readonly type: "formatted-text"
  readonly start: number
  readonly parts: readonly (Constant | FormattedField)[]
}

/**
 * A node for Python syntax that conditions do not support, such as a lambda. The check of the
 * syntax tree then throws an error. `reason` is the reason of the error, and `what` is the name of
 * the syntax in the message.
 */
interface Forbidden {
  readonly type: "forbidden"
  readonly start: number
  readonly reason: RefusalReason
  readonly what: string
}
