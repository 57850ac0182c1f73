import { type CallArguments, expectCount } from "../collections/call-arguments.js"
import { asSetLike } from "../collections/compare.js"
import { raise } from "../limits/condition-failed.js"
import {
  dictMethods,
  sequenceMethod,
  setMethods,
  viewMethods,
} from "../collections/container-methods.js"
import { textMethods } from "../text/text-methods.js"
import { typeName, type Value } from "../values/values.js"

type BoundMethod = (args: CallArguments) => Value

/**
 * Returns a method that is bound to a Python value. Raises AttributeError if the value's type has
 * no such method. As in Python, the error is raised before the arguments are evaluated.
 */
export function findMethod(self: Value, name: string): BoundMethod {
  return (
    methodOf(self, name) ??
    raise("AttributeError", `'${typeName(self)}' object has no attribute '${name}'`)
  )
}

function methodOf(self: Value, name: string): BoundMethod | undefined {
  if (typeof self === "string") {
    const method = textMethods.get(name)
    return method && ((args) => method(self, args))
  }
  if (typeof self === "number" && !Number.isSafeInteger(self)) return floatMethod(name, self)
  if (typeof self !== "object" || self === null) return undefined
  switch (self.kind) {
    case "float":
      return floatMethod(name, self.value)
    case "dict": {
      const method = dictMethods.get(name)
      return method && ((args) => method(self, args))
    }
    case "list": {
      const method = sequenceMethod("list", name)
      return method && ((args) => method(self.toArray(), args))
    }
    case "tuple": {
      const method = sequenceMethod("tuple", name)
      return method && ((args) => method(self.items, args))
    }
    case "set": {
      const method = setMethods.get(name)
      return method && ((args) => method(self, args))
    }
    case "dict_keys":
    case "dict_items": {
      const method = viewMethods.get(name)
      return method && ((args) => method(asSetLike(self, args.budget)!, args))
    }
  }
  return undefined
}

function floatMethod(name: string, value: number): BoundMethod | undefined {
  if (name !== "is_integer") return undefined
  return (args) => {
    expectCount("float.is_integer", args, 0, 0)
    return Number.isInteger(value)
  }
}
