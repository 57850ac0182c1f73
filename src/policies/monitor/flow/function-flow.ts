import { permissionsOf } from "../../permissions-of.js"
import type { PolicySet } from "../../policy.js"
import type { DataScope } from "./data-scopes.js"

/**
 * Whether the result of a host function, and the session state keys that it writes, may contain
 * source data. Source data is data from a source of a `noFlow` policy.
 */
export interface FunctionData {
  readonly result: boolean
  writes(key: string): boolean
}

/**
 * Returns which outputs of a host function may contain data from a source of the `noFlow` policy.
 * `given` is true if the arguments of the function contain such data. A declared function reads and
 * writes only the declared keys. An undeclared function may read and write every key.
 */
export function functionData(
  service: string,
  given: boolean,
  { keys }: Pick<DataScope, "keys">,
  functions: Pick<PolicySet, "functions">,
): FunctionData {
  const declared = permissionsOf(functions, service)
  if (declared === null) {
    const result = given || keys.size > 0
    return { result, writes: () => result }
  }
  const { mayRead, mayWrite, passes } = declared
  const result = passes && (given || mayRead.some((key) => keys.has(key)))
  return { result, writes: (key) => result && mayWrite.includes(key) }
}
