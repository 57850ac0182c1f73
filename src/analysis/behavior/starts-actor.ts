import type { RunEffect } from "./behavior.js"
import type { Setting } from "./setting.js"

/**
 * Finds the first agent that starts in a list of effects, and returns whether it runs as a separate
 * actor. A container does not, because it consists of states of the enclosing machine.
 */
export function startsActor(effects: readonly RunEffect[], { chart }: Setting): boolean {
  const name = firstStarted(effects)
  return name !== null && Object.hasOwn(chart.agents, name)
}

function firstStarted(effects: readonly RunEffect[]): string | null {
  for (const effect of effects) {
    if (effect.type === "occurs" && effect.occurrence.kind === "start")
      return effect.occurrence.name
    const inner = effect.type === "steps" ? firstStarted(effect.all) : null
    if (inner !== null) return inner
  }
  return null
}
