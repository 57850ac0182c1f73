import { setTimeout as sleep } from "node:timers/promises"

/** Retries an action for some time, because servers do not respond immediately after their start. */
export async function patiently(action, withinMs = 30_000) {
  for (const until = Date.now() + withinMs; ; await sleep(100)) {
    try {
      return await action()
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}

/** Polls until `look` returns a value other than null. */
export async function until(look, withinMs = 20_000) {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(20)) {
    const found = await look()
    if (found !== null) return found
  }
  throw new Error(`nothing came within ${withinMs} ms`)
}
