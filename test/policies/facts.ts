import type { RunEvent } from "../../src/machines/contract/run-event.js"

/** A part of an event. `$contains:TEXT` stands for a value whose JSON contains the text. */
export type Fact = Readonly<Record<string, unknown>>

/** Returns whether an event contains a fact. */
export function matchesFact(fact: unknown, value: unknown): boolean {
  if (typeof fact === "string" && fact.startsWith("$contains:"))
    return (JSON.stringify(value) ?? "").includes(fact.slice("$contains:".length))
  if (typeof fact !== "object" || fact === null) return Object.is(fact, value)
  if (typeof value !== "object" || value === null) return false
  return Object.entries(fact).every(([key, part]) =>
    matchesFact(part, (value as Readonly<Record<string, unknown>>)[key]),
  )
}

/** Returns the facts that do not occur in this order; others may lie between them. */
export function missingFacts(facts: readonly Fact[], events: readonly RunEvent[]): readonly Fact[] {
  let next = 0
  for (const event of events) if (next < facts.length && matchesFact(facts[next], event)) next++
  return facts.slice(next)
}
