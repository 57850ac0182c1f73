import type { FunctionPermissions, PolicySet } from "./policy.js"

/**
 * Returns the permissions of a host function from the policy file. Returns null if the file does
 * not declare it.
 */
export const permissionsOf = (
  { functions }: Pick<PolicySet, "functions">,
  service: string,
): FunctionPermissions | null =>
  Object.hasOwn(functions, service)
    ? (functions[service] ?? null)
    : Object.hasOwn(functions, "*")
      ? (functions["*"] ?? null)
      : null
