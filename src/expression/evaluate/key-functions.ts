import { builtins, noKeywords } from "./builtins.js"
import type { Evaluate, EvaluationFrame } from "./evaluation-frame.js"
import type { KeyFunction } from "../collections/call-arguments.js"
import { findMethod } from "./methods.js"
import type { VariableScope } from "../check/variable-scope.js"
import type { SyntaxNode } from "../syntax/syntax-tree.js"

/**
 * Compiles a function that is passed as an argument, such as `key=len`. Only builtin functions and
 * the `get` method of a dict are possible. The compiler has already rejected all other functions.
 */
export function emitKeyFunction(
  node: SyntaxNode,
  scope: VariableScope,
  emit: (node: SyntaxNode, scope: VariableScope) => Evaluate,
): ((frame: EvaluationFrame) => KeyFunction) | null {
  if (node.type === "name") {
    const builtin = builtins.get(node.id)!
    return ({ budget }) =>
      (value) => {
        budget.spend(1)
        return builtin({ positional: [value], keywords: noKeywords, budget })
      }
  }
  if (node.type !== "attribute") return null
  const object = emit(node.object, scope)
  return (frame) => {
    const { budget } = frame
    const method = findMethod(object(frame), node.name)
    return (value) => {
      budget.spend(1)
      return method({ positional: [value], keywords: noKeywords, budget })
    }
  }
}
