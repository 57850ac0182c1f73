import { isJsonObject } from "../../machines/data/json-object.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostContext, HostState } from "../../runtime/host/host-function.js"
import { jsonValidator } from "../../runtime/validation/json-validator.js"
import { StateSchemaError } from "./node-errors.js"

/**
 * Returns a context whose state accepts only keys and values that match a JSON schema. A write that
 * does not match throws `StateSchemaError`.
 */
export function checkedState(host: HostContext, schema: JsonObject): HostContext {
  const validate = jsonValidator()
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {}
  const { state } = host
  const checked: HostState = {
    get: (key) => state.get(key),
    has: (key) => state.has(key),
    toObject: () => state.toObject(),
    set(key, value) {
      check(key, value)
      state.set(key, value)
    },
    delete(key) {
      check(key, undefined)
      state.delete(key)
    },
  }
  function check(key: string, value: unknown): void {
    const declared = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (declared === undefined)
      throw new StateSchemaError(key, "it is not declared in the state schema")
    if (value === undefined || !isJsonObject(declared)) return
    const violation = validate(declared, value)
    if (violation !== null)
      throw new StateSchemaError(key, `its value does not match the state schema: ${violation}`)
  }
  // Members of the context do not depend on `this`, but its getters read private fields.
  return new Proxy(host, {
    get: (target, key) => (key === "state" ? checked : Reflect.get(target, key, target)),
    set: (target, key, value) => Reflect.set(target, key, value, target),
  })
}
