import { useState } from "preact/hooks"
import type { RunWithChart, StudioSnapshot } from "../../../api.js"
import type { RunPosition } from "../../client/run-hash.js"
import { compareHash } from "../../client/run-hash.js"
import { lazy } from "../../parts/lazy.js"
import "./time-travel.css"

const ForkDialog = lazy(async () => (await import("./fork-dialog.js")).ForkDialog)
const RerunButton = lazy(async () => (await import("./rerun-button.js")).RerunButton)

interface TimeTravelProps {
  readonly info: RunWithChart
  readonly snapshot: StudioSnapshot | null
  /** Total number of events that the run has emitted so far. */
  readonly eventCount: number
  /** Number of events that the run had emitted at the selected position. */
  readonly seen: number
  /** The selected position in the history of the run. Null if the page shows the end of the run. */
  readonly position: RunPosition | null
  /** Whether the run can emit further events. */
  readonly isOpen: boolean
  /** Whether the dialog that forks the run is open. */
  readonly isForking: boolean
  readonly onFork: (isForking: boolean) => void
  readonly onTravel: (position: RunPosition | null) => void
}

/**
 * Component that steps through the history of a run by records or events. It also forks the run, or
 * compares it with another run.
 */
export function TimeTravel({
  info,
  snapshot,
  eventCount,
  seen,
  position,
  isOpen,
  isForking,
  onFork,
  onTravel,
}: TimeTravelProps) {
  const [by, setBy] = useState<RunPosition["by"]>(position?.by ?? "record")
  if (snapshot === null) return null
  const all = by === "record" ? snapshot.of : eventCount
  // The slider does not wait for the snapshot, so quick presses of a key are not lost.
  const record = position?.by === "record" ? Math.min(position.count, snapshot.of) : snapshot.at
  const count = by === "record" ? record : seen
  const travel = (next: number): void => onTravel({ by, count: Math.min(Math.max(next, 0), all) })
  const noun = by === "record" ? "record" : "event"
  return (
    <section class="travel" aria-label="Time travel">
      <div class="travel-slider">
        <div class="travel-by" role="group" aria-label="Step by">
          {(["record", "event"] as const).map((unit) => (
            <button
              key={unit}
              type="button"
              aria-pressed={by === unit}
              onClick={() => {
                setBy(unit)
                if (position !== null)
                  onTravel({ by: unit, count: unit === "record" ? snapshot.at : seen })
              }}
            >
              {unit === "record" ? "Records" : "Events"}
            </button>
          ))}
        </div>
        <button
          type="button"
          aria-label={`Previous ${noun}`}
          disabled={count === 0}
          onClick={() => travel(count - 1)}
        >
          ‹
        </button>
        <input
          type="range"
          min={0}
          max={all}
          value={count}
          aria-label={by === "record" ? "Position in the journal" : "Position in the events"}
          aria-valuetext={`${count} of ${all} ${noun}s`}
          onInput={({ currentTarget }) => travel(Number(currentTarget.value))}
        />
        <button
          type="button"
          aria-label={`Next ${noun}`}
          disabled={count >= all}
          onClick={() => travel(count + 1)}
        >
          ›
        </button>
        <button type="button" aria-pressed={position === null} onClick={() => onTravel(null)}>
          {isOpen ? "Live" : "End"}
        </button>
      </div>
      <div class="travel-facts">
        <p class="calm">
          {snapshot.at} of {snapshot.of} records, {seen} of {eventCount} events,{" "}
          {new Date(snapshot.time).toLocaleTimeString()}
          {snapshot.inFlight.length > 0 &&
            `; in flight: ${snapshot.inFlight.map((call) => ("path" in call ? call.path : "a pause")).join(", ")}`}
        </p>
        <div class="travel-actions">
          <button type="button" onClick={() => onFork(true)}>
            Fork from here…
          </button>
          <a class="button" href={compareHash(info.runId, info.forkedFrom?.runId ?? null)}>
            Compare
          </a>
          {!isOpen && info.file !== null && <RerunButton runId={info.runId} file={info.file} />}
        </div>
      </div>
      {isForking && <ForkDialog info={info} snapshot={snapshot} onClose={() => onFork(false)} />}
    </section>
  )
}
