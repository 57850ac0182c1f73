import type { OrchestrationContext } from "./orchestration-context.js"
import { pathsAround } from "./orchestration-context.js"

/**
 * Returns whether a machine waits for people. This is true if all of its running agents wait for
 * people.
 */
export function isPaused({ scopes }: Pick<OrchestrationContext, "scopes">): boolean {
  const all = Object.entries(scopes)
  // This is called for each branch that ends. Usually, no branch is paused.
  if (!all.some(([, { paused }]) => paused)) return false
  const outer = new Set(all.flatMap(([path]) => pathsAround(path)))
  const running = all.filter(([path, { status }]) => status === "open" && !outer.has(path))
  return running.length > 0 && running.every(([, { paused }]) => paused)
}
