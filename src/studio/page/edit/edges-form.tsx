import { useState } from "preact/hooks"
import type { EditCommand, NodeEdge } from "../../edit-api.js"
import { ErrorMessage } from "../parts/error-message.js"
import type { EditFormProps } from "./edit-forms.js"
import { Choice, EditForm } from "./edit-forms.js"

const directions = { to: "Edge to", from: "Edge from" } as const

/** Name of the node at which the graph of an ADK Workflow starts. */
const startName = "START"

interface EdgesFormProps extends EditFormProps {
  /** Whether the shown edges match the text in the editor. If not, they cannot be changed. */
  readonly isCurrent: boolean
}

/**
 * Form that connects the selected node of a graph with another node, removes its edges, and changes
 * the routes of its edges. In a Graph Compose graph, the routes are called conditions.
 */
export function EdgesForm({ agent: { name, graph }, isCurrent, ...handlers }: EdgesFormProps) {
  const [direction, setDirection] = useState<keyof typeof directions>("to")
  const [route, setRoute] = useState("")
  const [wanted, setWanted] = useState("")
  const [error, setError] = useState<string | null>(null)
  const edges = (graph?.edges ?? []).filter(({ from, to }) => from === name || to === name)
  const isTaskGraph = graph?.type === "graph"
  const routeName = isTaskGraph ? "Condition" : "Route"
  const starts = direction === "from" && !isTaskGraph ? [startName] : []
  const names = [...starts, ...(graph?.children ?? [])]
  const other = names.includes(wanted) ? wanted : (names.find((node) => node !== name) ?? name)
  const send = (command: EditCommand): void => void handlers.onSend(command).then(setError)
  const edited = { name: graph?.name ?? "" }
  return (
    <EditForm
      label={`Edges of ${name}`}
      submit="Connect"
      command={{
        kind: "connectNodes",
        ...edited,
        ...(direction === "to" ? { from: name, to: other } : { from: other, to: name }),
        route: routeOf(route),
      }}
      {...handlers}
    >
      <ul class="edit-edges" aria-label={`Edges of ${name}`}>
        {edges.map((edge) => (
          <EdgeRow
            key={`${edge.from} ${edge.to} ${edge.route}`}
            edge={edge}
            routeName={routeName}
            isCurrent={isCurrent}
            onRoute={(newRoute) => send({ kind: "changeRoute", ...edited, ...edge, newRoute })}
            onDisconnect={() => send({ kind: "disconnectNodes", ...edited, ...edge })}
          />
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
        {routeName}
        <input
          value={route}
          placeholder={isTaskGraph ? "Always, or {{ data.ok = true }}" : "Always"}
          spellcheck={false}
          onInput={({ currentTarget }) => setRoute(currentTarget.value)}
        />
      </label>
    </EditForm>
  )
}

const routeOf = (text: string): string | null => (text.trim() === "" ? null : text.trim())

interface EdgeRowProps {
  readonly edge: NodeEdge
  readonly routeName: string
  readonly isCurrent: boolean
  readonly onRoute: (route: string | null) => void
  readonly onDisconnect: () => void
}

/** Row of the edge form that shows an edge with its route, which the user can change. */
function EdgeRow({
  edge: { from, to, route },
  routeName,
  isCurrent,
  onRoute,
  onDisconnect,
}: EdgeRowProps) {
  const [text, setText] = useState(route ?? "")
  const canChange = isCurrent && routeOf(text) !== route
  const change = (): void => onRoute(routeOf(text))
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return
    // Otherwise, Enter adds the new edge of the form.
    event.preventDefault()
    if (canChange) change()
  }
  return (
    <li>
      <span>
        {from} → {to}
      </span>
      <input
        value={text}
        aria-label={`${routeName} from ${from} to ${to}`}
        placeholder="Always"
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        disabled={!canChange}
        aria-label={`Change the ${routeName.toLowerCase()} from ${from} to ${to}`}
        onClick={change}
      >
        Change
      </button>
      <button
        type="button"
        disabled={!isCurrent}
        aria-label={`Disconnect ${from} from ${to}`}
        onClick={onDisconnect}
      >
        Disconnect
      </button>
    </li>
  )
}
