/**
 * A request to start, stop or interrupt a child of a machine. It is executed after the macrostep.
 */
export interface Effect {
  readonly id: string
  /** Name of the machine or leaf call to start; null to stop the child. */
  readonly src: string | null
  readonly input: unknown
  /**
   * Input that the `invoke` of the chart defines for the child; null if an action of the machine
   * starts the child.
   */
  readonly invoked: Readonly<Record<string, unknown>> | null
  /**
   * Time of the interruption in milliseconds since the epoch; absent if the child is not
   * interrupted.
   */
  readonly interruptedAt?: number
}

export const stopOf = (id: string): Effect => ({ id, src: null, input: null, invoked: null })

/**
 * Returns the effect that interrupts a child. An interrupted child ends and passes its finished
 * work to its parent.
 */
export const interruptOf = (id: string, time: number): Effect => ({
  ...stopOf(id),
  interruptedAt: time,
})

/**
 * Returns the effects to execute. If several effects have the same child id, only the last of them
 * is returned, because it replaces the earlier ones.
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
 * Returns whether two effects have the same child id. Most macrosteps have one or two effects, so
 * these are compared without creating a set.
 */
function hasDuplicateIds(effects: readonly Effect[]): boolean {
  if (effects.length < 2) return false
  if (effects.length === 2) return effects[0]?.id === effects[1]?.id
  return new Set(effects.map(({ id }) => id)).size < effects.length
}
