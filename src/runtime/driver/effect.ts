/** The start or stop of a child. The driver executes effects after the macrostep. */
export interface Effect {
  readonly id: string
  /** Name of the machine or leaf call to start; null to stop the child. */
  readonly src: string | null
  readonly input: unknown
  /** The static input of the state that invokes the child; null if an update started it. */
  readonly invoked: Readonly<Record<string, unknown>> | null
}

export const stopOf = (id: string): Effect => ({ id, src: null, input: null, invoked: null })

/** Returns the last effect of each child: a later start or stop replaces an earlier one. */
export function finalEffects(effects: readonly Effect[]): Iterable<Effect> {
  if (!hasDuplicateIds(effects)) return effects
  const lastById = new Map<string, Effect>()
  for (const effect of effects) {
    lastById.delete(effect.id)
    lastById.set(effect.id, effect)
  }
  return lastById.values()
}

/** Whether a child has several effects. Most macrosteps have one or two, which need no set. */
function hasDuplicateIds(effects: readonly Effect[]): boolean {
  if (effects.length < 2) return false
  if (effects.length === 2) return effects[0]?.id === effects[1]?.id
  return new Set(effects.map(({ id }) => id)).size < effects.length
}
