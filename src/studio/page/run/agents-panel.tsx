import type { RunEvent, StudioPast } from "../../api.js"
import { costText } from "../../../serving/cost-text.js"
import { spentByAgent } from "../parts/agent-activity.js"

interface AgentsPanelProps {
  readonly past: StudioPast | null
  readonly events: readonly RunEvent[]
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
}

/** What each agent has cost, and what was said to it and by it. */
export function AgentsPanel({ past, events, agent, onAgent }: AgentsPanelProps) {
  const turns = (past?.agents ?? []).filter((turn) => agent === null || turn.agent === agent)
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
            {spentByAgent(events).map((spent) => (
              <tr key={spent.agent}>
                <th scope="row">
                  <button
                    type="button"
                    aria-pressed={agent === spent.agent}
                    onClick={() => onAgent(agent === spent.agent ? null : spent.agent)}
                  >
                    {spent.agent}
                  </button>
                </th>
                {[
                  spent.turns,
                  spent.calls,
                  spent.tools,
                  `${spent.ms} ms`,
                  spent.inputTokens,
                  spent.outputTokens,
                  spent.cost === null ? "–" : costText(spent.cost),
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
            {turn.path} {turn.isActive && <small>at work</small>}
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
          <Raw events={events.filter(({ path }) => path === turn.path)} />
        </section>
      ))}
    </div>
  )
}

/** What the model's service answered, as it was read. */
function Raw({ events }: { readonly events: readonly RunEvent[] }) {
  const answers = events.flatMap((event) => (event.type === "model.responded" ? [event] : []))
  if (answers.length === 0) return null
  return (
    <details>
      <summary>
        {answers.length} {answers.length === 1 ? "answer" : "answers"} of the model
      </summary>
      {answers.map(({ seq, call, answer }) => (
        <pre key={seq} tabIndex={0}>
          {call}
          {"\n"}
          {JSON.stringify(answer, null, 2)}
        </pre>
      ))}
    </details>
  )
}
