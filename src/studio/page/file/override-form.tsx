import { useState } from "preact/hooks"
import type { AgentOverrides, OverridableAgent } from "../../api.js"

interface OverrideFormProps {
  readonly agents: readonly OverridableAgent[]
  readonly overrides: AgentOverrides
  readonly onChange: (overrides: AgentOverrides) => void
}

/** Form that overrides the model, the temperature and the instruction of agents for one run. */
export function OverrideForm({ agents, overrides, onChange }: OverrideFormProps) {
  const [selected, setSelected] = useState<string | null>(null)
  const agent = agents.find(({ id }) => id === selected) ?? agents[0]
  if (agent === undefined) return null
  const changed = Object.keys(overrides)
  const current = overrides[agent.id] ?? {}
  const set = (change: AgentOverrides[string]): void => {
    const { [agent.id]: _replaced, ...others } = overrides
    const next = Object.fromEntries(
      Object.entries({ ...current, ...change }).filter(
        ([name, value]) =>
          value !== undefined && value !== agent[name as keyof AgentOverrides[string]],
      ),
    )
    onChange(Object.keys(next).length === 0 ? others : { ...others, [agent.id]: next })
  }
  return (
    <details class="overrides">
      <summary>
        Change agents for this run
        {changed.length > 0 && <strong> · {changed.join(", ")}</strong>}
      </summary>
      <div class="override-fields">
        <label>
          Agent
          <select
            value={agent.id}
            onChange={({ currentTarget }) => setSelected(currentTarget.value)}
          >
            {agents.map(({ id }) => (
              <option key={id} value={id}>
                {id}
                {changed.includes(id) ? " (changed)" : ""}
              </option>
            ))}
          </select>
        </label>
        {agent.model !== undefined && (
          <label>
            Model
            <input
              value={current.model ?? agent.model}
              spellcheck={false}
              onInput={({ currentTarget }) => set({ model: currentTarget.value })}
            />
          </label>
        )}
        {agent.temperature !== undefined && (
          <label>
            Temperature
            <input
              type="number"
              min={0}
              step={0.1}
              value={current.temperature ?? agent.temperature ?? ""}
              onInput={({ currentTarget: { valueAsNumber } }) =>
                set({ temperature: Number.isNaN(valueAsNumber) ? undefined : valueAsNumber })
              }
            />
          </label>
        )}
        {agent.instruction !== undefined && (
          <label class="override-instruction">
            Instruction
            <textarea
              rows={4}
              value={current.instruction ?? agent.instruction}
              onInput={({ currentTarget }) => set({ instruction: currentTarget.value })}
            />
          </label>
        )}
      </div>
    </details>
  )
}
