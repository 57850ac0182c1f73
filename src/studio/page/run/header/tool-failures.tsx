import type { RunResult } from "../../../api.js"

/**
 * Component that lists the failed tool calls of a run. The models received the errors as tool
 * results.
 */
export function ToolFailures({ result }: { readonly result: RunResult | null }) {
  const failures = result?.toolFailures ?? []
  if (failures.length === 0) return null
  return (
    <details class="failures">
      <summary>
        {failures.length === 1 ? "1 tool call failed" : `${failures.length} tool calls failed`}
      </summary>
      <ul>
        {failures.map(({ tool, agent, message, path, callId }) => (
          <li key={`${path} ${callId}`}>
            <strong>{tool}</strong> of {agent}: {message}
          </li>
        ))}
      </ul>
    </details>
  )
}
