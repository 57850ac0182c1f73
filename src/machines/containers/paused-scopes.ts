import type { OrchestrationContext } from "./orchestration-context.js"

/** Returns whether all running work of an orchestration machine waits for people. */
export function isPaused({ scopes }: Pick<OrchestrationContext, "scopes">): boolean {
  const all = Object.entries(scopes)
  // This is called for each branch that ends. Usually, no branch is paused.
  if (!all.some(([, { paused }]) => paused)) return false
  const outer = new Set(all.flatMap(([path]) => pathsAround(path)))
  const running = all.filter(([path, { status }]) => status === "open" && !outer.has(path))
  return running.length > 0 && running.every(([, { paused }]) => paused)
}

/** Returns the paths of all states around a state. The machine itself has the path `""`. */
function pathsAround(path: string): readonly string[] {
  if (path === "") return []
  const around = [""]
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1))
    around.push(path.slice(0, dot))
  return around
}
