/** What a macrostep sets off; carried out after it. */
export interface Effect {
  readonly id: string
  /** What the child is; null: stop it. */
  readonly src: string | null
  readonly input: unknown
  /** The static input of the state that invokes it; null for what an update started. */
  readonly invoked: Readonly<Record<string, unknown>> | null
}

export const stopOf = (id: string): Effect => ({ id, src: null, input: null, invoked: null })

/** A stop takes back a start of the same macrostep, and a later start takes the place of an earlier one. */
export function finalEffects(effects: readonly Effect[]): Iterable<Effect> {
  if (!hasDuplicateIds(effects)) return effects
  const words = new Map<string, Effect>()
  for (const effect of effects) {
    words.delete(effect.id)
    words.set(effect.id, effect)
  }
  return words.values()
}

/** Whether there are several for one child. Most macrosteps have one or two effects, for which a set would be dear. */
function hasDuplicateIds(effects: readonly Effect[]): boolean {
  if (effects.length < 2) return false
  if (effects.length === 2) return effects[0]?.id === effects[1]?.id
  return new Set(effects.map(({ id }) => id)).size < effects.length
}
