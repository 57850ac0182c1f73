/**
 * Generates unique keys for states, machines and regions from agent ids. The keys are readable in
 * drawings and safe for XState. They contain no dots and no `#`, because XState interprets these
 * characters. They are not integers, which would change the key order of an object, and not names
 * of `Object.prototype`.
 */
export class KeyRing {
  readonly #used = new Set<string>(reservedKeys)

  /**
   * Returns a key that is based on `id` and that was not returned before. A duplicate gets a
   * suffix, such as `writer_2`.
   */
  next(id: string): string {
    const base = safeKey(id)
    let key = base
    for (let suffix = 2; this.#used.has(key); suffix++) key = `${base}_${suffix}`
    this.#used.add(key)
    return key
  }
}

/** Keys that generated machines already use for their own states and actors. */
const reservedKeys = [
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
  "machineAgent",
  "workflowAgent",
  "waitAgent",
  "workflowGraph",
  "nodeRun",
  "parallelWorker",
  "triggeredGraph",
  "toolNode",
  "hostCode",
  "hookedLlmAgent",
  "hookedModel",
  "guardedLlmAgent",
  "guardedModel",
  "guardrail",
  "hookList",
  "thinking",
  "beforeAgent",
  "afterAgent",
  "callHost",
  "callModel",
  "callTool",
  "callWorkflow",
  "sleepUntil",
] as const

export type ReservedKey = (typeof reservedKeys)[number]

function safeKey(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_]/g, "_")
  return /^[A-Za-z]/.test(plain) ? plain : `a_${plain}`
}
