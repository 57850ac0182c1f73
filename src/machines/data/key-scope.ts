/**
 * Scope of a state key. It determines which sessions share the value of the key, and depends on the
 * prefix of the key (docs/semantics.md#sessions).
 */
export type KeyScope = "session" | "user" | "app" | "temp"

/** The prefix of the keys of each scope. Keys without one of these prefixes belong to the session. */
export const scopePrefixes = { user: "user:", app: "app:", temp: "temp:" } as const

const prefixed = Object.entries(scopePrefixes) as [keyof typeof scopePrefixes, string][]

export const keyScopeOf = (key: string): KeyScope =>
  prefixed.find(([, prefix]) => key.startsWith(prefix))?.[0] ?? "session"

/** Returns the prefix that determines the scope of a key, or an empty string if it has none. */
export function scopePrefixOf(key: string): string {
  const scope = keyScopeOf(key)
  return scope === "session" ? "" : scopePrefixes[scope]
}
