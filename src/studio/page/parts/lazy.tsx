import type { ComponentType, FunctionComponent } from "preact"
import { useEffect, useState } from "preact/hooks"
import { messageOf } from "../client/fetch-json.js"

/**
 * Returns a component whose code is loaded when the component is first rendered. `load` imports the
 * code.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  let loaded: ComponentType<Props> | null = null
  return function Lazy(props: Props) {
    const [, setLoaded] = useState(loaded !== null)
    const [error, setError] = useState<string | null>(null)
    useEffect(() => {
      if (loaded !== null) return
      load().then(
        (component) => {
          loaded = component
          setLoaded(true)
        },
        (cause: unknown) => setError(messageOf(cause)),
      )
    }, [])
    if (error !== null)
      return (
        <p role="alert" class="trouble">
          This part of the page cannot be loaded: {error} Reload the page.
        </p>
      )
    const Component = loaded
    return Component === null ? null : <Component {...props} />
  }
}
