import { useEffect, useRef, useState } from "preact/hooks"
import type { MachineView } from "../../../machines-api.js"
import { fetchJson, messageOf } from "../../client/fetch-json.js"
import { ActorDetailsView } from "./actor-details-view.js"
import { ActorTree } from "./actor-tree.js"
import "./machines-panel.css"
import { SequenceDiagram } from "./sequence-diagram.js"

interface MachinesPanelProps {
  readonly runId: string
  /** Number of journal records at the shown position. */
  readonly at: number
}

/** Minimum interval in milliseconds between two requests while the run adds records. */
const loadInterval = 400

/** Shows the machines of a run, their snapshots, and the events between them. */
export function MachinesPanel({ runId, at }: MachinesPanelProps) {
  const [view, setView] = useState<MachineView | null>(null)
  const [selected, setSelected] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const lastLoad = useRef(0)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const load = async (): Promise<void> => {
      lastLoad.current = Date.now()
      try {
        setView(await fetchJson(`/runs/${encodeURIComponent(runId)}/machines?at=${at}`, { signal }))
        setError(null)
      } catch (cause) {
        if (!signal.aborted) setError(messageOf(cause))
      }
    }
    const timer = setTimeout(
      () => void load(),
      Math.max(0, lastLoad.current + loadInterval - Date.now()),
    )
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [runId, at])

  if (error !== null)
    return (
      <p role="alert" class="trouble">
        {error}
      </p>
    )
  if (view === null) return <p class="calm">Replaying the run…</p>
  const { actors, messages, leftOut } = view
  const chosen = actors.find(({ id }) => id === selected) ?? null
  return (
    <div class="machines">
      <ActorTree
        actors={actors}
        selected={chosen?.id ?? null}
        onSelect={(id) => setSelected(id === selected ? null : id)}
      />
      <SequenceDiagram
        actors={actors}
        messages={
          chosen === null
            ? messages
            : messages.filter(({ from, to }) => from === chosen.id || to === chosen.id)
        }
        leftOut={leftOut}
        selected={chosen}
        onSelect={setSelected}
      />
      {chosen !== null && (
        <ActorDetailsView
          key={chosen.id}
          runId={runId}
          at={at}
          actor={chosen}
          onClose={() => setSelected(null)}
        />
      )}
    </div>
  )
}
