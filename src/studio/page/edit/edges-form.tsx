import { useState } from "preact/hooks"
import type { NodeEdge } from "../../edit-api.js"
import { ErrorMessage } from "../parts/error-message.js"
import type { EditFormProps } from "./edit-forms.js"
import { Choice, EditForm } from "./edit-forms.js"

const directions = { to: "Edge to", from: "Edge from" } as const

/** Name of the node at which a graph starts. */
const startName = "START"

/** Connects the selected node of a graph with another node, and removes its edges. */
export function EdgesForm({ agent: { name, graph }, ...handlers }: EditFormProps) {
  const [direction, setDirection] = useState<keyof typeof directions>("to")
  const [route, setRoute] = useState("")
  const [wanted, setWanted] = useState("")
  const [error, setError] = useState<string | null>(null)
  const edges = (graph?.edges ?? []).filter(({ from, to }) => from === name || to === name)
  const names = [...(direction === "from" ? [startName] : []), ...(graph?.children ?? [])]
  const other = names.includes(wanted) ? wanted : (names.find((node) => node !== name) ?? name)
  const disconnect = async (edge: NodeEdge): Promise<void> =>
    setError(await handlers.onSend({ kind: "disconnectNodes", name: graph?.name ?? "", ...edge }))
  return (
    <EditForm
      label={`Edges of ${name}`}
      submit="Connect"
      command={{
        kind: "connectNodes",
        name: graph?.name ?? "",
        ...(direction === "to" ? { from: name, to: other } : { from: other, to: name }),
        route: route.trim() === "" ? null : route.trim(),
      }}
      {...handlers}
    >
      <ul class="edit-edges" aria-label={`Edges of ${name}`}>
        {edges.map((edge) => (
          <li key={`${edge.from} ${edge.to} ${edge.route}`}>
            <span>
              {edge.from} → {edge.to}
              {edge.route !== null && <small> {edge.route}</small>}
            </span>
            <button
              type="button"
              aria-label={`Disconnect ${edge.from} from ${edge.to}`}
              onClick={() => void disconnect(edge)}
            >
              Disconnect
            </button>
          </li>
        ))}
      </ul>
      <ErrorMessage text={error} />
      <Choice legend="New" options={directions} value={direction} onChange={setDirection} />
      <label class="edit-type">
        Node
        <select value={other} onChange={({ currentTarget }) => setWanted(currentTarget.value)}>
          {names.map((node) => (
            <option key={node}>{node}</option>
          ))}
        </select>
      </label>
      <label class="edit-name">
        Route
        <input
          value={route}
          placeholder="Always"
          spellcheck={false}
          onInput={({ currentTarget }) => setRoute(currentTarget.value)}
        />
      </label>
    </EditForm>
  )
}
