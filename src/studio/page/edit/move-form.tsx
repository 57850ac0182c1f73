import { useState } from "preact/hooks"
import type { Placement } from "../../edit-api.js"
import type { AgentInTree } from "./agent-tree.js"
import type { AddPosition } from "./edit-actions.js"
import type { EditFormProps } from "./edit-forms.js"
import { Choice, EditForm, positions } from "./edit-forms.js"

interface MoveFormProps extends EditFormProps {
  /** All agents of the workflow in the order of the chart. */
  readonly agents: readonly AgentInTree[]
}

/**
 * Form that moves the selected agent to another position. It is an alternative to dragging the
 * agent.
 */
export function MoveForm({ agent, agents, ...handlers }: MoveFormProps) {
  const inner = insideOf(agent, agents)
  const others = agents.filter(({ name }) => !inner.has(name))
  const [position, setPosition] = useState<AddPosition>("after")
  const possible = others.filter((other) =>
    position === "inside" ? other.canHaveSubAgents : other.parent !== null && other.index >= 0,
  )
  const [wanted, setWanted] = useState("")
  const target = possible.find(({ name }) => name === wanted)?.name ?? possible[0]?.name
  return (
    <EditForm
      label={`Move ${agent.name}`}
      submit="Move"
      command={{
        kind: "moveAgent",
        name: agent.name,
        placement: placementAt(position, target ?? agent.name),
      }}
      {...handlers}
    >
      <Choice legend="Where" options={positions} value={position} onChange={setPosition} />
      <label class="edit-type">
        Agent
        <select value={target} onChange={({ currentTarget }) => setWanted(currentTarget.value)}>
          {possible.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </EditForm>
  )
}

const placementAt = (position: AddPosition, name: string): Placement =>
  position === "inside"
    ? { into: name }
    : position === "before"
      ? { before: name }
      : { after: name }

/** Returns the names of an agent and of all agents inside it. */
function insideOf({ name }: AgentInTree, agents: readonly AgentInTree[]): ReadonlySet<string> {
  const children = new Map(agents.map((agent) => [agent.name, agent.children]))
  const found = new Set([name])
  for (const outer of found) for (const child of children.get(outer) ?? []) found.add(child)
  return found
}
