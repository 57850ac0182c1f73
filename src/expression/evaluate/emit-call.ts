import type { CallArguments, KeyFunction } from "../collections/call-arguments.js"
import { builtins, noKeywords } from "./builtins.js"
import { raise } from "../limits/condition-failed.js"
import type { Evaluate, EvaluationFrame } from "./evaluation-frame.js"
import { mappingBuiltins } from "../syntax/language.js"
import { findMethod } from "./methods.js"
import type { Attribute, Call } from "../syntax/syntax-tree.js"
import { typeName, type Value } from "../values/values.js"

type Keywords = readonly (readonly [string, Evaluate])[]

export function emitBuiltinCall(
  name: string,
  args: readonly Evaluate[],
  keywords: Keywords,
  keyFunction: ((frame: EvaluationFrame) => KeyFunction) | null,
): Evaluate {
  const builtin = builtins.get(name)
  if (builtin === undefined)
    return () => raise("UnsupportedError", `${name} was refused by the check`)
  if (keyFunction === null) return (frame) => builtin(evaluated(args, keywords, frame))
  if (mappingBuiltins.has(name)) {
    return (frame) => {
      const passed = keyFunction(frame)
      return builtin({ ...evaluated(args, keywords, frame), keyFunction: passed })
    }
  }
  return (frame) => {
    const given = evaluated(args, keywords, frame)
    return builtin({ ...given, keyFunction: keyFunction(frame) })
  }
}

export function emitMethodCall(
  callee: Attribute,
  args: readonly Evaluate[],
  keywords: Keywords,
  object: Evaluate,
  onState: boolean,
): Evaluate {
  const { name } = callee
  const [first, second] = args
  if (onState && name === "get" && first !== undefined && args.length <= 2) {
    // Fast path for the most common call: no method lookup and no argument list.
    return (frame) => {
      const key = first(frame)
      const fallback = second === undefined ? null : second(frame)
      const value = frame.state.get(key)
      return value === undefined ? fallback : value
    }
  }
  return (frame) => {
    const method = findMethod(object(frame), name)
    return method(evaluated(args, keywords, frame))
  }
}

/** Evaluates the arguments of a function call. Every call costs one step of the step budget. */
function evaluated(
  args: readonly Evaluate[],
  keywords: Keywords,
  frame: EvaluationFrame,
): CallArguments {
  frame.budget.spend(1)
  const positional: Value[] = []
  for (let index = 0; index < args.length; index++) positional.push(args[index]!(frame))
  if (keywords.length === 0) return { positional, keywords: noKeywords, budget: frame.budget }
  const named = new Map<string, Value>()
  for (const [name, value] of keywords) named.set(name, value(frame))
  return { positional, keywords: named, budget: frame.budget }
}

/**
 * Compiles a call of Python's `isinstance`. At run time, the types are checked in order until one
 * matches. An invalid type raises an error only if the check reaches it.
 */
export function emitIsinstance(node: Call, value: Evaluate): Evaluate {
  const type = node.args[1]!
  const names = (type.type === "tuple" ? type.elements : [type]).map((element) =>
    element.type === "name" ? element.id : "",
  )
  return (frame) => {
    const actual = typeName(value(frame))
    for (const name of names) {
      if (name === "session_state")
        raise("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union")
      if (name === actual || (name === "int" && actual === "bool")) return true
    }
    return false
  }
}
