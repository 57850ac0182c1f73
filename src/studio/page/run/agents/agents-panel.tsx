import type { StudioSnapshot } from "../../../api.js"
import type { BranchCounter } from "../../../../serving/display/branch-progress.js"
import { describeBranches } from "../../../../serving/display/branch-progress.js"
import { costText } from "../../../../serving/cost-text.js"
import { countText, durationText } from "../../parts/duration.js"
import type { RunFolds } from "../folds/run-folds.js"
import { AgentFilter } from "./agent-filter.js"
import { Conversations } from "./conversations.js"
import "./agents-panel.css"

interface AgentsPanelProps {
  readonly runId: string
  readonly snapshot: StudioSnapshot | null
  readonly folds: RunFolds
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
}

/**
 * Component that shows the calls, tokens and cost of each agent of a run, and the conversations of
 * the agents with their models.
 */
export function AgentsPanel({ runId, snapshot, folds, agent, onAgent }: AgentsPanelProps) {
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
      {snapshot !== null && (
        <Conversations
          runId={runId}
          position={snapshot.at}
          groups={snapshot.turns.filter((group) => agent === null || group.agent === agent)}
        />
      )}
    </div>
  )
}

/**
 * Component that shows the progress of parallel blocks and loops. Each block has a single row,
 * regardless of its number of branches.
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
