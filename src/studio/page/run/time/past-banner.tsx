import type { StudioSnapshot } from "../../../api.js"
import "./past-banner.css"

interface PastBannerProps {
  readonly snapshot: StudioSnapshot | null
  readonly seen: number
  readonly eventCount: number
  /** Whether the run can emit further events. */
  readonly isOpen: boolean
  readonly onReturn: () => void
}

/**
 * Component that notes that the page shows an earlier position of a run. It has a button that
 * returns to the end.
 */
export function PastBanner({ snapshot, seen, eventCount, isOpen, onReturn }: PastBannerProps) {
  return (
    <div class="past-banner" role="status" aria-label="Position in the past">
      <p>
        <strong>Viewing the past</strong>
        {snapshot !== null && (
          <span>
            {" "}
            after record {snapshot.at} of {snapshot.of}, event {seen} of {eventCount},{" "}
            {new Date(snapshot.time).toLocaleTimeString()}
          </span>
        )}
      </p>
      <button type="button" onClick={onReturn}>
        {isOpen ? "Return to the live run" : "Return to the end"}
      </button>
    </div>
  )
}
