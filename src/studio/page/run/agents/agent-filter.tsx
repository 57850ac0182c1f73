import "./agent-filter.css"

interface AgentFilterProps {
  readonly agent: string
  /** Describes what the filter hides, for example `other events`. */
  readonly hides: string
  readonly onClear: () => void
}

/** Tells the user that a panel only shows the selected agent, with a button that shows all agents. */
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
