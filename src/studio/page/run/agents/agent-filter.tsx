import "./agent-filter.css"

interface AgentFilterProps {
  readonly agent: string
  /**
   * A sentence that describes the effect of the filter, for example
   * `The events of other agents are hidden.`
   */
  readonly hides: string
  readonly onClear: () => void
}

/**
 * Note above a panel that shows only the selected agent. It has a button that shows all agents
 * again.
 */
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
