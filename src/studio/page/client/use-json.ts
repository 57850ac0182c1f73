import { useEffect, useState } from "preact/hooks"
import { fetchJson, messageOf } from "./fetch-json.js"

/**
 * The latest loaded value and the error message of the latest request. Each is null if there is
 * none.
 */
interface LoadedJson<Json> {
  readonly value: Json | null
  readonly error: string | null
}

/**
 * Hook that loads JSON from the studio's API, and loads it again when the path changes. Returns the
 * previous value until the next value is loaded.
 */
export function useJson<Json>(path: string): LoadedJson<Json> {
  const [loaded, setLoaded] = useState<LoadedJson<Json>>({ value: null, error: null })
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    fetchJson<Json>(path, { signal }).then(
      (value) => {
        if (!signal.aborted) setLoaded({ value, error: null })
      },
      (cause: unknown) => {
        if (!signal.aborted) setLoaded(({ value }) => ({ value, error: messageOf(cause) }))
      },
    )
    return () => controller.abort()
  }, [path])
  return loaded
}
