import { useEffect, useRef } from "preact/hooks"
import type { Lanes } from "../folds/lanes.js"
import { callHeight, laneHeight, LaneRow } from "./lane-row.js"
import { TimeAxis } from "./time-axis.js"
import "./timeline.css"
import { useNow } from "../../parts/use-now.js"
import { useViewport, type Viewport } from "../../parts/use-viewport.js"
import { useTimeWindow } from "./use-time-window.js"
import type { TimeGap } from "./time-gap.js"
import { axisTime } from "./time-gap.js"
import type { TimeScale } from "./visible-calls.js"
import { positionOf } from "./visible-calls.js"

interface TimelinePanelProps {
  readonly lanes: Lanes
  /** Whether the run can emit further events. */
  readonly isOpen: boolean
  /**
   * Time of the selected position in milliseconds since the epoch. Null if the page shows the end
   * of the run.
   */
  readonly time: number | null
  /** The time range that the time axis omits. Null if it omits none. */
  readonly gap: TimeGap | null
  readonly agent: string | null
  readonly onAgent: (agent: string | null) => void
  /** The `seq` of the selected entry of the event list. Null if no entry is selected. */
  readonly selected: number | null
  readonly onSelect: (entry: number) => void
}

/** Width of the column with the agent names in pixels, if the timeline is wide enough. */
const nameWidth = 150

/**
 * Component that shows the timeline of a run. Each agent has a lane (a row), in which bars show its
 * calls. Only the visible lanes and bars are rendered.
 */
export function TimelinePanel({
  lanes,
  isOpen,
  time,
  gap,
  agent,
  onAgent,
  selected,
  onSelect,
}: TimelinePanelProps) {
  const container = useRef<HTMLDivElement>(null)
  const viewport = useViewport(container)
  const now = useNow(isOpen)
  const range = lanes.range
  const end = isOpen ? Math.max(now, range?.end ?? 0) : (range?.end ?? 0)
  const from = axisTime(lanes.keptFrom ?? range?.start ?? 0, gap)
  const window = useTimeWindow({ from, to: axisTime(end, gap) })
  const names = Math.min(nameWidth, viewport.width * 0.35)
  const scale: TimeScale = {
    from: window.from,
    to: window.to,
    width: Math.max(1, viewport.width - names - 8),
    gap,
  }
  const { all } = lanes
  const tops = topsOf(all.map(laneHeight))
  const height = tops.at(-1) ?? 0
  const onWheel = useRef<(event: WheelEvent) => void>(() => {})
  onWheel.current = (event) => {
    const left = container.current?.getBoundingClientRect().left ?? 0
    const share = (event.clientX - left - names) / scale.width
    const length = window.to - window.from
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      window.zoom(1.002 ** event.deltaY, window.from + share * length)
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault()
      const delta = event.deltaX === 0 ? event.deltaY : event.deltaX
      window.pan((delta / scale.width) * length)
    }
  }
  useEffect(() => {
    // The browser zooms the page if a wheel listener is passive, as those of Preact are.
    const listener = (event: WheelEvent): void => onWheel.current(event)
    const element = container.current
    element?.addEventListener("wheel", listener, { passive: false })
    return () => element?.removeEventListener("wheel", listener)
  }, [])
  const onKeyDown = (event: KeyboardEvent): void => {
    const length = window.to - window.from
    const act = {
      "+": () => window.zoom(0.5),
      "=": () => window.zoom(0.5),
      "-": () => window.zoom(2),
      "0": () => window.showAll(),
      ...(event.target === container.current && {
        ArrowLeft: () => window.pan(-length / 5),
        ArrowRight: () => window.pan(length / 5),
      }),
    }[event.key]
    if (act === undefined || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    act()
  }
  const marker = (name: string, time: number) => {
    const left = positionOf(time, scale)
    return (
      left >= 0 &&
      left <= scale.width && (
        <span class={name} style={{ left: `${names + left}px`, height: `${height}px` }} />
      )
    )
  }
  return (
    <div class="timeline">
      <div class="bar timeline-tools">
        <Legend />
        {lanes.keptFrom !== null && <small class="calm">Without the earliest calls</small>}
        <button type="button" aria-label="Zoom out" onClick={() => window.zoom(2)}>
          −
        </button>
        <button type="button" aria-label="Zoom in" onClick={() => window.zoom(0.5)}>
          +
        </button>
        <button type="button" aria-pressed={window.isWhole} onClick={() => window.showAll()}>
          Whole run
        </button>
        {isOpen && (
          <button type="button" aria-pressed={window.isFollowing} onClick={() => window.follow()}>
            Follow
          </button>
        )}
      </div>
      <div
        class="lanes"
        ref={container}
        tabIndex={0}
        role="group"
        aria-label="Timeline"
        style={{ "--names": `${names}px` }}
        onKeyDown={onKeyDown}
      >
        <TimeAxis scale={scale} start={range?.start ?? 0} />
        <div class="lane-list" style={{ height: `${height}px` }}>
          {visible(tops, viewport).map((index) => {
            const lane = all[index]
            return lane === undefined ? null : (
              <div key={lane.key} class="lane-place" style={{ top: `${tops[index] ?? 0}px` }}>
                <LaneRow
                  lane={lane}
                  scale={scale}
                  now={end}
                  selected={selected}
                  isChosen={lane.agent === agent}
                  onAgent={(chosen) => onAgent(chosen === agent ? null : chosen)}
                  onSelect={onSelect}
                />
              </div>
            )
          })}
          {gap !== null && marker("gap-marker", gap.from)}
          {time !== null && marker("time-marker", time)}
        </div>
      </div>
    </div>
  )
}

const Legend = () => (
  <ul class="timeline-legend" aria-label="Legend">
    <li class="of-model">model</li>
    <li class="of-tool">tool</li>
    <li class="of-person">person</li>
    <li class="of-retry">waits for a retry</li>
  </ul>
)

/**
 * Returns the top position of each lane (row of the timeline) in pixels. An additional last element
 * contains the total height.
 */
function topsOf(heights: readonly number[]): readonly number[] {
  const tops = [0]
  for (const height of heights) tops.push((tops.at(-1) ?? 0) + height)
  return tops
}

/** Returns the indexes of the lanes (rows of the timeline) that are visible. */
function visible(tops: readonly number[], { top: from, height }: Viewport): readonly number[] {
  const margin = 4 * callHeight
  const indexes: number[] = []
  for (const [index, top] of tops.slice(0, -1).entries())
    if ((tops[index + 1] ?? top) >= from - margin && top <= from + height + margin)
      indexes.push(index)
  return indexes
}
