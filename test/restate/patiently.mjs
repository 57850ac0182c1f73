import { setTimeout as sleep } from "node:timers/promises"

/** Tries again for a while: servers that were just started answer a moment later. */
export async function patiently(action, withinMs = 30_000) {
  for (const until = Date.now() + withinMs; ; await sleep(100)) {
    try {
      return await action()
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}
