import type { StudioSnapshot } from "../../../api.js"
import { useState } from "preact/hooks"
import type { BranchCounter } from "../../../../serving/display/branch-progress.js"
import { describeBranches } from "../../../../serving/display/branch-progress.js"
import { costText } from "../../../../serving/cost-text.js"
import { countText, durationText } from "../../parts/duration.js"
import { ModelMessages } from "../details/model-messages.js"
import type { RunFolds } from "../folds/run-folds.js"
import { AgentFilter } from "./agent-filter.js"
import "./agents-panel.css"

interface AgentsPanelProps {
  readonly snapshot: StudioSnapshot | null
  readonly folds: RunFolds
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
}

/** Shows the usage of each agent and its conversation with its model. */
export function AgentsPanel({ snapshot, folds, agent, onAgent }: AgentsPanelProps) {
  const turns = (snapshot?.agents ?? []).filter((turn) => agent === null || turn.agent === agent)
  return (
    <div class="agents">
      {agent !== null && (
        <AgentFilter
          agent={agent}
          hides="The conversations below and the events are filtered."
          onClear={() => onAgent(null)}
        />
      )}
      <div class="scrolls" tabIndex={0} role="group" aria-label="Time and tokens by agent">
        <table>
          <thead>
            <tr>
              {["Agent", "Turns", "Models", "Tools", "Time", "In", "Out", "Cost"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {folds.usage.all.map((usage) => (
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
                  durationText(usage.modelMs),
                  usage.inputTokens === null ? "–" : countText(usage.inputTokens),
                  usage.outputTokens === null ? "–" : countText(usage.outputTokens),
                  usage.cost === null ? "–" : costText(usage.cost),
                ].map((value, index) => (
                  <td key={index}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="calm">
        Models and tools are numbers of calls. In and out are tokens. – means unknown.
      </p>
      <BranchRows branches={folds.branches} />
      {groupTurns(turns).map(({ path, turns: group }) =>
        group.length <= maxUnfolded ? (
          group.map((turn) => <Conversation key={turn.path} turn={turn} />)
        ) : (
          <FoldedConversations key={path} path={path} turns={group} />
        ),
      )}
    </div>
  )
}

/**
 * Maximum number of conversations of one agent that are shown separately. More conversations are
 * shown as one row with a selection.
 */
const maxUnfolded = 5

type Turn = StudioSnapshot["agents"][number]

/**
 * Groups the turns of an agent whose paths differ only in indexes: the items of a list, or the
 * iterations of a loop.
 */
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

/** Shows one of many conversations of an agent. The user selects it by its number. */
function FoldedConversations({
  path,
  turns,
}: {
  readonly path: string
  readonly turns: readonly Turn[]
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
      {turn !== undefined && <Conversation turn={turn} />}
    </details>
  )
}

function Conversation({ turn }: { readonly turn: Turn }) {
  return (
    <section class="conversation" aria-label={`Conversation of ${turn.path}`}>
      <h3>
        {turn.path} {turn.isActive && <small>active</small>}
      </h3>
      <ModelMessages messages={turn.conversation} />
    </section>
  )
}

/**
 * Shows the progress of each parallel block or loop as a single row, even if it has many branches.
 */
function BranchRows({ branches }: { readonly branches: BranchCounter }) {
  const blocks = branches.blocks()
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
