import type { PendingRequest } from "../../../api.js"
import { ValueView } from "../../parts/value-view.js"

/**
 * Component that shows the question of a pending request, the related state values and further
 * details.
 */
export function RequestDetails({ request }: { readonly request: PendingRequest }) {
  const { prompt, shown = {}, omittedKeys = [], details } = request
  const facts = [
    ...Object.entries(shown),
    ...(details === null || details === undefined ? [] : [["Details", details] as const]),
  ]
  return (
    <>
      {prompt !== null && <p class="prompt">{prompt}</p>}
      {facts.length > 0 && (
        <dl class="shown">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd tabIndex={0}>
                <ValueView value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {omittedKeys.length > 0 && <p>Too large to show: {omittedKeys.join(", ")}</p>}
    </>
  )
}
