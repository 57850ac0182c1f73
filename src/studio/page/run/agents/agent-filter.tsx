import "./agent-filter.css"

interface AgentFilterProps {
  readonly agent: string
  /**
   * A sentence that explains what the filter hides, for example `The events of other agents are
   * hidden.`
   */
  readonly hides: string
  readonly onClear: () => void
}

/** A note that a panel shows only the selected agent, with a button that shows all agents again. */
export function AgentFilter({ agent, hides, onClear }: AgentFilterProps) {
  return (
    <div class="agent-filter" role="status">
      <p>
        Only <strong>{agent}</strong>. {hides}
      </p>
      <button type="button" onClick={onClear}>
        Show all agents
      </button>
    </div>
  )
}
