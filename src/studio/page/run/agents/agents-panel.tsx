import type { RunEvent, StudioSnapshot } from "../../../api.js"
import { useMemo, useState } from "preact/hooks"
import { BranchCounter, describeBranches } from "../../../../serving/display/branch-progress.js"
import { costText } from "../../../../serving/cost-text.js"
import { usageByAgent } from "./agent-usage.js"
import "./agents-panel.css"

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
      <BranchRows events={events} />
      {groupTurns(turns).map(({ path, turns: group }) =>
        group.length <= maxUnfolded ? (
          group.map((turn) => <Conversation key={turn.path} turn={turn} events={events} />)
        ) : (
          <FoldedConversations key={path} path={path} turns={group} events={events} />
        ),
      )}
    </div>
  )
}

/** Maximum number of turns of one agent whose conversations are shown without folding. */
const maxUnfolded = 5

type Turn = StudioSnapshot["agents"][number]

/** Groups the turns of an agent in the branches of a list or in the iterations of a loop. */
function groupTurns(
  turns: readonly Turn[],
): readonly { readonly path: string; readonly turns: readonly Turn[] }[] {
  const groups = new Map<string, Turn[]>()
  for (const turn of turns) {
    const path = turn.path.replace(/\[\d+\]/g, "[*]")
    const group = groups.get(path)
    if (group === undefined) groups.set(path, [turn])
    else group.push(turn)
  }
  return [...groups].map(([path, group]) => ({ path, turns: group }))
}

/** Shows one of many conversations, which the user selects by number. */
function FoldedConversations({
  path,
  turns,
  events,
}: {
  readonly path: string
  readonly turns: readonly Turn[]
  readonly events: readonly RunEvent[]
}) {
  const [chosen, setChosen] = useState(0)
  const turn = turns[Math.min(chosen, turns.length - 1)]
  const active = turns.filter(({ isActive }) => isActive).length
  return (
    <details class="folded">
      <summary>
        {path}: {turns.length} conversations{active > 0 && `, ${active} active`}
      </summary>
      <label>
        Conversation{" "}
        <input
          type="number"
          min={1}
          max={turns.length}
          value={chosen + 1}
          onInput={({ currentTarget }) => {
            const number = currentTarget.valueAsNumber
            if (number >= 1 && number <= turns.length) setChosen(Math.floor(number) - 1)
          }}
        />{" "}
        of {turns.length}
      </label>
      {turn !== undefined && <Conversation turn={turn} events={events} />}
    </details>
  )
}

function Conversation({
  turn,
  events,
}: {
  readonly turn: Turn
  readonly events: readonly RunEvent[]
}) {
  return (
    <section class="conversation" aria-label={`Conversation of ${turn.path}`}>
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
  )
}

/** Shows the progress of each block or loop as one row, however many branches it has. */
function BranchRows({ events }: { readonly events: readonly RunEvent[] }) {
  const blocks = useMemo(() => {
    const counter = new BranchCounter()
    for (const event of events) counter.apply(event)
    return counter.blocks()
  }, [events, events.length])
  if (blocks.length === 0) return null
  return (
    <ul class="branches" aria-label="Branches">
      {blocks.map((block) => (
        <li key={block.path}>
          <span class="event-agent">{block.path}</span>{" "}
          <progress
            {...(block.total !== null && {
              value: block.ended,
              max: Math.max(1, block.total),
            })}
            aria-label={block.path}
          />{" "}
          {describeBranches(block)}
        </li>
      ))}
    </ul>
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
