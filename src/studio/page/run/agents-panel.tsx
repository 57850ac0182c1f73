import type { RunEvent, StudioSnapshot } from "../../api.js"
import { costText } from "../../../serving/cost-text.js"
import { usageByAgent } from "./agent-usage.js"

interface AgentsPanelProps {
  readonly snapshot: StudioSnapshot | null
  readonly events: readonly RunEvent[]
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
}

/** Shows the usage of each agent and its conversation with its model. */
export function AgentsPanel({ snapshot, events, agent, onAgent }: AgentsPanelProps) {
  const turns = (snapshot?.agents ?? []).filter((turn) => agent === null || turn.agent === agent)
  return (
    <div class="agents">
      <div class="scrolls" tabIndex={0} role="group" aria-label="Time and tokens by agent">
        <table>
          <thead>
            <tr>
              {[
                "Agent",
                "Turns",
                "Model calls",
                "Tool calls",
                "Time",
                "Tokens in",
                "Tokens out",
                "Cost",
              ].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {usageByAgent(events).map((usage) => (
              <tr key={usage.agent}>
                <th scope="row">
                  <button
                    type="button"
                    aria-pressed={agent === usage.agent}
                    onClick={() => onAgent(agent === usage.agent ? null : usage.agent)}
                  >
                    {usage.agent}
                  </button>
                </th>
                {[
                  usage.turns,
                  usage.modelCalls,
                  usage.toolCalls,
                  `${usage.modelMs} ms`,
                  usage.inputTokens,
                  usage.outputTokens,
                  usage.cost === null ? "–" : costText(usage.cost),
                ].map((value, index) => (
                  <td key={index}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {turns.map((turn) => (
        <section key={turn.path} class="conversation" aria-label={`Conversation of ${turn.path}`}>
          <h3>
            {turn.path} {turn.isActive && <small>active</small>}
          </h3>
          {turn.conversation.map((message, index) => (
            <div key={index} class={`message of-${message.role}`}>
              <small>{message.role}</small>
              <pre tabIndex={0}>
                {typeof message.content === "string"
                  ? message.content
                  : JSON.stringify(message.content, null, 2)}
              </pre>
            </div>
          ))}
          <ModelResponses events={events.filter(({ path }) => path === turn.path)} />
        </section>
      ))}
    </div>
  )
}

/** Shows the responses of the model as JSON. */
function ModelResponses({ events }: { readonly events: readonly RunEvent[] }) {
  const responses = events.flatMap((event) => (event.type === "model.responded" ? [event] : []))
  if (responses.length === 0) return null
  return (
    <details>
      <summary>
        {responses.length} {responses.length === 1 ? "response" : "responses"} of the model
      </summary>
      {responses.map(({ seq, call, answer }) => (
        <pre key={seq} tabIndex={0}>
          {call}
          {"\n"}
          {JSON.stringify(answer, null, 2)}
        </pre>
      ))}
    </details>
  )
}
