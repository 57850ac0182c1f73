import { useState } from "preact/hooks"

/**
 * Hook like `useState`, but the browser's `localStorage` stores the value under `name`. Therefore
 * the value survives reloads and restarts of the studio. A stored value that `isValid` rejects is
 * ignored.
 */
export function useStoredValue<Value>(
  name: string,
  initial: Value,
  isValid: (value: unknown) => value is Value,
): readonly [value: Value, store: (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => readStored(name, isValid) ?? initial)
  const store = (next: Value): void => {
    setValue(next)
    try {
      localStorage.setItem(keyOf(name), JSON.stringify(next))
    } catch {
      // A browser without storage, or with full storage, keeps the value until the page is closed.
    }
  }
  return [value, store]
}

function readStored<Value>(
  name: string,
  isValid: (value: unknown) => value is Value,
): Value | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(name)) ?? "null")
    return isValid(value) ? value : undefined
  } catch {
    // Storage is disabled, or another program has written a text that is not JSON.
    return undefined
  }
}

const keyOf = (name: string): string => `agent-statecharts ${name}`
