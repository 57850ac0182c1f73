/**
 * Keys of states, machines and regions: made from agent ids, so that a picture can be read, but safe. XState takes dots
 * and `#` apart, integer-like keys change the order of an object, and names of `Object.prototype` are no keys at all.
 */
export class KeyRing {
  readonly #taken = new Set<string>(reserved)

  /** A key that this ring has not given out yet. */
  next(id: string): string {
    const base = safeKey(id)
    let key = base
    for (let twin = 2; this.#taken.has(key); twin++) key = `${base}_${twin}`
    this.#taken.add(key)
    return key
  }
}

/** Keys that the emitted machines use themselves. */
const reserved = [
  "boot",
  "cycling",
  "resting",
  "checking",
  "resuming",
  "done",
  "exited",
  "escalated",
  "failed",
  "limited",
  "stopped",
  "llmAgent",
  "humanAgent",
  "fan",
  "workflowGraph",
  "toolNode",
  "hostCode",
  "hookedLlmAgent",
  "hookedModel",
  "hookList",
  "thinking",
  "beforeAgent",
  "afterAgent",
  "callHost",
  "callModel",
  "callTool",
  "sleepUntil",
]

function safeKey(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_]/g, "_")
  return /^[A-Za-z]/.test(plain) ? plain : `a_${plain}`
}
