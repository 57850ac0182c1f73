import { AgentStatechartsError } from "../../../errors.js"
import { configLimits } from "../../document/config-limits.js"
import type { DiagnosticDraft, Report } from "../../diagnostics/report.js"
import type { ConfigDocument } from "../../document/config-document.js"
import { onlyDocument } from "../../document/config-document.js"
import { childPointer } from "../../document/json-pointer.js"

/**
 * Reads a config that is passed as an object. Copies the object as plain JSON data, because the
 * caller may change it later. The object may also contain getters, class instances or cycles, which
 * are not JSON.
 */
export function readObject(given: object, report: Report): ConfigDocument | null {
  let values = 0
  let failed = false
  const ancestors = new Set<object>()

  function refuse(
    code: DiagnosticDraft["code"],
    pointer: string,
    problem: string,
    fix: string,
  ): null {
    failed = true
    const message = `${pointer === "" ? "The config" : `The value at ${pointer}`} ${problem}.`
    report.add({ code, severity: "error", message, fix, pointer, document: onlyDocument })
    return null
  }

  function copy(value: unknown, pointer: string): unknown {
    if (++values > configLimits.values) throw new TooLarge()
    switch (typeof value) {
      case "string":
      case "boolean":
        return value
      case "number":
        return Number.isFinite(value)
          ? value
          : refuse("wrong_type", pointer, `is ${value}, which JSON cannot represent`, jsonOnly)
      case "undefined":
        return null
      case "object":
        return value === null ? null : copyObject(value, pointer)
      case "bigint":
      case "symbol":
      case "function":
        return refuse(
          "wrong_type",
          pointer,
          `is a ${typeof value}, which JSON cannot represent`,
          jsonOnly,
        )
    }
  }

  function copyObject(value: object, pointer: string): unknown {
    if (ancestors.has(value))
      return refuse(
        "config_shape",
        pointer,
        "contains itself",
        "Remove the circular reference, and refer to agents by id.",
      )
    if (ancestors.size >= configLimits.documentDepth) {
      const fix = "Move nested agents to the list of agents and refer to them by id."
      return refuse(
        "nesting_too_deep",
        pointer,
        `is nested deeper than ${configLimits.documentDepth} levels`,
        fix,
      )
    }
    if (!Array.isArray(value) && !isPlain(value)) {
      return refuse(
        "wrong_type",
        pointer,
        `is an instance of ${className(value)}, not plain data`,
        jsonOnly,
      )
    }
    ancestors.add(value)
    const copied = Array.isArray(value) ? copyList(value, pointer) : copyEntries(value, pointer)
    ancestors.delete(value)
    return copied
  }

  function copyList(list: readonly unknown[], pointer: string): unknown[] {
    const copied: unknown[] = []
    for (let index = 0; index < list.length; index++)
      copied.push(copy(list[index], childPointer(pointer, index)))
    return copied
  }

  function copyEntries(value: object, pointer: string): object {
    const entries: [string, unknown][] = []
    for (const [key, inner] of Object.entries(value)) {
      if (inner !== undefined) entries.push([key, copy(inner, childPointer(pointer, key))])
    }
    // `Object.fromEntries` defines own properties, so that a key `__proto__` does not change the
    // prototype.
    return Object.fromEntries(entries)
  }

  try {
    const value = copy(asData(given), "")
    return failed ? null : { ...onlyDocument, format: "object", value, locate: () => undefined }
  } catch (cause) {
    if (cause instanceof TooLarge) {
      refuse(
        "config_too_large",
        "",
        `has more than ${configLimits.values} values`,
        "Remove large data from the config.",
      )
    } else if (cause instanceof AgentStatechartsError)
      refuse(
        "config_shape",
        "",
        `cannot be read. ${cause.message.replace(/\.$/, "")}`,
        "Fix the program that creates the config.",
      )
    else refuse("config_shape", "", "cannot be read: reading its fields throws an error", jsonOnly)
    return null
  }
}

/**
 * Returns the result of `toJSON` if the object is a class instance with this method. Returns all
 * other objects unchanged.
 */
const asData = (given: object): unknown =>
  !Array.isArray(given) &&
  !isPlain(given) &&
  "toJSON" in given &&
  typeof given.toJSON === "function"
    ? given.toJSON()
    : given

const jsonOnly = "Pass plain data: objects, lists, strings, numbers, true, false and null."

class TooLarge extends Error {}

/**
 * Returns whether an object is plain data, so that its prototype is null or the `Object.prototype`
 * of any realm.
 */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function className(value: object): string {
  const maker: unknown = Reflect.get(value, "constructor")
  return typeof maker === "function" && maker.name !== "" ? maker.name : "a class"
}
