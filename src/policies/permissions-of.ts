import type { FunctionPermissions, PolicySet } from "./policy.js"

/**
 * Returns the permissions of a host function (a function that you register) from the policy file.
 * If the file does not declare the function, returns the permissions for `"*"`, or null if there
 * are none.
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
