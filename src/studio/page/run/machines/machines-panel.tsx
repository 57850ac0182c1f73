import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import type { MachineView } from "../../../machine-changes.js"
import { emptyMachineView, withMachineChanges } from "../../../machine-changes.js"
import type { MachineChanges } from "../../../machines-api.js"
import { fetchJson, messageOf } from "../../client/fetch-json.js"
import type { Pace } from "../../client/paced-call.js"
import { PacedCall } from "../../client/paced-call.js"
import { ActorDetailsView } from "./actor-details-view.js"
import { ActorTree } from "./actor-tree.js"
import "./machines-panel.css"
import { SequenceDiagram } from "./sequence-diagram.js"

interface MachinesPanelProps {
  readonly runId: string
  /** Number of journal records before the shown position in the run. */
  readonly position: number
  /**
   * Whether the user has selected a position in the history of the run. If true, the machines at
   * this position are loaded at once, without the pause of the rate limit.
   */
  readonly isPast: boolean
}

/**
 * Rate limit for the requests of this panel. The pause after a request is 10 times as long as the
 * request. Therefore the requests use about 10 % of the server's time, even if the server replays
 * the run for each request.
 */
const loadPace: Pace = { everyMs: 400, rest: 10 }

/**
 * Component that shows the state machines of a run, their snapshots, and the messages between them.
 */
export function MachinesPanel({ runId, position, isPast }: MachinesPanelProps) {
  const [view, setView] = useState<MachineView | null>(null)
  const [selected, setSelected] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const wanted = useRef(position)
  const call = useRef<PacedCall | null>(null)

  useEffect(() => {
    let loaded: { readonly position: number; readonly view: MachineView } | null = null
    const loading = new PacedCall(async (signal) => {
      const { current: next } = wanted
      // Changes can only be added to the view of an earlier position. Otherwise, the view is loaded
      // as a whole.
      const before = loaded !== null && loaded.position <= next ? loaded.view : emptyMachineView
      const query = new URLSearchParams({ at: String(next), after: String(before.count) })
      try {
        const changes = await fetchJson<MachineChanges>(
          `/runs/${encodeURIComponent(runId)}/machines?${query}`,
          { signal },
        )
        loaded = { position: next, view: withMachineChanges(before, changes) }
        setView(loaded.view)
        setError(null)
      } catch (cause) {
        if (!signal.aborted) setError(messageOf(cause))
      }
    }, loadPace)
    call.current = loading
    return () => loading.stop()
  }, [runId])
  useEffect(() => {
    wanted.current = position
    if (isPast) call.current?.requestNow()
    else call.current?.request()
  }, [runId, position, isPast])

  const chosen = view?.actors.find(({ id }) => id === selected) ?? null
  const messages = useMemo(
    () =>
      (view?.messages ?? []).filter(
        ({ from, to }) => chosen === null || from === chosen.id || to === chosen.id,
      ),
    [view, chosen?.id],
  )
  if (error !== null)
    return (
      <p role="alert" class="trouble">
        {error}
      </p>
    )
  if (view === null) return <p class="calm">Replaying the run…</p>
  const { actors, dropped, count } = view
  return (
    <div class="machines">
      <ActorTree
        actors={actors}
        selected={chosen?.id ?? null}
        onSelect={(id) => setSelected(id === selected ? null : id)}
      />
      {dropped > 0 && (
        <p class="calm">
          {dropped} {dropped === 1 ? "machine that has" : "machines that have"} ended{" "}
          {dropped === 1 ? "is" : "are"} not listed.
        </p>
      )}
      <SequenceDiagram
        actors={actors}
        messages={messages}
        leftOut={count - view.messages.length}
        selected={chosen}
        onSelect={setSelected}
      />
      {chosen !== null && (
        <ActorDetailsView
          key={chosen.id}
          runId={runId}
          position={position}
          actor={chosen}
          onClose={() => setSelected(null)}
        />
      )}
    </div>
  )
}
