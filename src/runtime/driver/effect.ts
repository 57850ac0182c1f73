/**
 * A request to start, stop or interrupt a child of a state machine. It is executed after the
 * current macrostep.
 */
export interface Effect {
  readonly id: string
  /** Name of the machine or call to start. null if the child is stopped or interrupted. */
  readonly src: string | null
  readonly input: unknown
  /**
   * The `input` of the state's `invoke` that starts the child. null if an action starts the child
   * without `invoke`.
   */
  readonly invoked: Readonly<Record<string, unknown>> | null
  /**
   * Time of the interruption in milliseconds since the epoch. Missing if the child is not
   * interrupted.
   */
  readonly interruptedAt?: number
}

export const stopOf = (id: string): Effect => ({ id, src: null, input: null, invoked: null })

/**
 * Returns an effect that interrupts a child. An interrupted child ends early and passes its
 * finished work to its parent.
 */
export const interruptOf = (id: string, time: number): Effect => ({
  ...stopOf(id),
  interruptedAt: time,
})

/**
 * Returns the effects to execute. If several effects have the same child id, returns only the last
 * of them, because it replaces the earlier effects.
 */
export function finalEffects(effects: readonly Effect[]): Iterable<Effect> {
  if (!hasDuplicateIds(effects)) return effects
  const lastById = new Map<string, Effect>()
  for (const effect of effects) {
    lastById.delete(effect.id)
    lastById.set(effect.id, effect)
  }
  return lastById.values()
}

/**
 * Returns true if two effects have the same child id. Most macrosteps have one or two effects, so
 * these cases are compared without creating a `Set`.
 */
function hasDuplicateIds(effects: readonly Effect[]): boolean {
  if (effects.length < 2) return false
  if (effects.length === 2) return effects[0]?.id === effects[1]?.id
  return new Set(effects.map(({ id }) => id)).size < effects.length
}
