import type { ExpressionUse } from "./check-call.js"
import { formatPattern } from "./check-format-call.js"
import { ConditionRefused } from "../limits/condition-refused.js"
import { attributeHint, methodHint } from "../hints/methods.js"
import { moduleHint } from "../hints/modules.js"
import { nameHint, type NameUse, stateNames } from "../hints/names.js"
import { asSubscripts, moduleName, rootName, valueText } from "../hints/source-text.js"
import {
  builtinNames,
  keyFunctions,
  methodNames,
  mutatingMethods,
  typeNames,
} from "../syntax/language.js"
import { refuseDunder } from "./refuse-dunder.js"
import type { Attribute, Name } from "../syntax/syntax-tree.js"

/**
 * Checks a name in a condition. Throws if the name is unknown, or if it is a builtin function that
 * is not called.
 */
export function checkName(node: Name, scope: ReadonlySet<string>, use: ExpressionUse): void {
  const { id, start } = node
  refuseDunder(id, start)
  if (isKnown(id, scope)) return
  if (builtinNames.has(id)) {
    if (
      use === "callee" ||
      (use === "type" && typeNames.has(id)) ||
      (use === "key" && keyFunctions.has(id))
    )
      return
    throw new ConditionRefused("bare-builtin", `${id} is a function. Call it: ${id}(...)`, start)
  }
  throw new ConditionRefused(
    "unknown-name",
    `"${id}" is not known here. ${nameHint(id, nameUse(use))}`,
    start,
  )
}

function nameUse(use: ExpressionUse): NameUse {
  switch (use) {
    case "callee":
    case "key":
      return "callee"
    case "index":
      return "key"
    case "compared":
      return "compared"
    case "value":
    case "consumed":
    case "type":
      return "value"
  }
}

/**
 * Checks an attribute in a condition, such as `text.upper`. Throws unless it is a call of a
 * supported method that does not modify its object.
 */
export function checkAttribute(
  node: Attribute,
  scope: ReadonlySet<string>,
  use: ExpressionUse,
  source: string,
): void {
  const { name, start } = node
  refuseDunder(name, start)
  const root = moduleName(node.object)
  const module = root === null || isKnown(root, scope) ? null : moduleHint(root, name)
  if (module !== null) {
    throw new ConditionRefused(
      use === "callee" ? "method" : "attribute",
      `"${root}" is not known here: conditions have no modules. ${module}`,
      start,
    )
  }
  if (use === "key" && name === "get") return
  if (use !== "callee") {
    throw new ConditionRefused(
      "attribute",
      `Attribute .${name} is not allowed. ${insteadOfAttribute(node, scope, source)}`,
      start,
    )
  }
  if (mutatingMethods.has(name)) {
    throw new ConditionRefused(
      "mutation",
      `.${name}() would change the state, but a condition only reads it. Let an agent or a tool write the key`,
      start,
    )
  }
  if (formatPattern(node) !== null) return
  if (name === "format" || name === "format_map")
    throw new ConditionRefused(
      "format",
      `.${name}() is only allowed on a string literal. Use an f-string`,
      start,
    )
  if (!methodNames.has(name)) {
    const value = valueText(source, node.object, start, "value")
    throw new ConditionRefused(
      "method",
      `.${name}() is not an allowed method. ${methodHint(name, value)}`,
      start,
    )
  }
}

function insteadOfAttribute(node: Attribute, scope: ReadonlySet<string>, source: string): string {
  const { name, object, start } = node
  const root = rootName(object)
  if (root !== null && builtinNames.has(root))
    return `Write a comprehension: [item.${name}() for item in values]`
  if (methodNames.has(name)) return `Call it: .${name}()`
  const value = asSubscripts(object, stateNames) ?? valueText(source, object, start, "value")
  const call = attributeHint(name, value)
  const key = `Read a key with .get('${name}') or ['${name}']`
  if (call !== null) return `${call}. ${key}`
  if (root === null || scope.has(root)) return key
  if (object.type === "name" && stateNames.has(object.id) && name === "state")
    return "Write session_state"
  if (object.type === "name" && stateNames.has(object.id))
    return `Write session_state.get('${name}') or session_state['${name}']`
  return `Write ${asSubscripts(node, stateNames) ?? `['${name}']`}`
}

function isKnown(id: string, scope: ReadonlySet<string>): boolean {
  return id === "session_state" || scope.has(id)
}
