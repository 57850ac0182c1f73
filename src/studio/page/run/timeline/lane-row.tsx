import { durationText } from "../../parts/duration.js"
import type { Lane } from "../folds/lanes.js"
import type { LoggedCall } from "../folds/run-log.js"
import type { CallBar, TimeScale } from "./visible-calls.js"
import { axisTime } from "./time-gap.js"
import { positionOf, visibleCalls } from "./visible-calls.js"

interface LaneRowProps {
  readonly lane: Lane
  readonly scale: TimeScale
  readonly now: number
  /** The `seq` of the selected entry of the event list. Null if no entry is selected. */
  readonly selected: number | null
  readonly isChosen: boolean
  readonly onAgent: (agent: string) => void
  readonly onSelect: (entry: number) => void
}

/** Height of a row of calls in the timeline, in pixels. */
export const callHeight = 18

/**
 * Maximum distance between a click and a bar of the timeline, in pixels, at which the click selects
 * the bar.
 */
const tapDistance = 12

/**
 * Returns the height of a lane (the row of an agent in the timeline) in pixels. A lane without
 * calls is as high as a lane with one row of calls.
 */
export const laneHeight = ({ rows }: Lane): number => Math.max(1, rows.length) * callHeight + 8

/**
 * Component for a lane, which is the row of an agent in the timeline. It shows the agent's name,
 * its active periods and its calls.
 */
export function LaneRow({ lane, scale, now, selected, isChosen, onAgent, onSelect }: LaneRowProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target } = event
    if (!(target instanceof HTMLElement) || !target.classList.contains("call-bar")) return
    const next = {
      ArrowRight: target.nextElementSibling,
      ArrowLeft: target.previousElementSibling,
    }[event.key]
    if (next instanceof HTMLElement && next.classList.contains("call-bar")) {
      event.preventDefault()
      next.focus()
    }
  }
  const bars = lane.rows.map((row) => visibleCalls(row, scale, now))
  const firstRow = bars.findIndex((row) => row.length > 0)
  /**
   * Selects the bar nearest to a click on the lane, because a short bar is too small for a finger.
   */
  const onTap = (event: MouseEvent & { readonly currentTarget: HTMLElement }): void => {
    if (event.target !== event.currentTarget) return
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const x = event.clientX - left
    const index = Math.min(Math.floor((event.clientY - top - 4) / callHeight), bars.length - 1)
    const distance = (bar: CallBar): number => Math.max(bar.left - x, x - bar.left - bar.width)
    const [nearest] = (bars[Math.max(index, 0)] ?? []).toSorted(
      (one, other) => distance(one) - distance(other),
    )
    if (nearest !== undefined && distance(nearest) <= tapDistance) onSelect(nearest.first.entry)
  }
  return (
    <div
      class="lane"
      role="group"
      aria-label={lane.path}
      style={{ height: `${laneHeight(lane)}px` }}
    >
      <button
        type="button"
        class="lane-name"
        title={lane.path}
        aria-pressed={isChosen}
        style={{ paddingLeft: `${0.4 + lane.depth * 0.7}rem` }}
        onClick={() => onAgent(lane.agent)}
      >
        {nameOf(lane)}
      </button>
      <div class="lane-track" onKeyDown={onKeyDown} onClick={onTap}>
        {visibleTurns(lane, scale, now).map(({ left, width, isFailed }) => (
          <span
            key={left}
            class={isFailed ? "turn is-failed" : "turn"}
            style={{ left: `${left}px`, width: `${width}px` }}
          />
        ))}
        {bars.flatMap((row, rowIndex) =>
          row.map((bar, index) => (
            <Bar
              key={bar.first.entry}
              bar={bar}
              top={4 + rowIndex * callHeight}
              scale={scale}
              now={now}
              isSelected={bar.first.entry === selected}
              isReachable={rowIndex === firstRow && index === 0}
              onSelect={onSelect}
            />
          )),
        )}
      </div>
    </div>
  )
}

interface BarProps {
  readonly bar: CallBar
  readonly top: number
  readonly scale: TimeScale
  readonly now: number
  readonly isSelected: boolean
  /**
   * Whether the Tab key can move the focus to the bar. From there, the arrow keys move the focus to
   * the other bars of the lane.
   */
  readonly isReachable: boolean
  readonly onSelect: (entry: number) => void
}

function Bar({ bar, top, scale, now, isSelected, isReachable, onSelect }: BarProps) {
  const { first, count, left, width, isFailed } = bar
  const { call } = first
  const label = describe(bar, now)
  return (
    <button
      type="button"
      class={`call-bar of-${call.kind}${isFailed ? " is-failed" : ""}${
        call.end === null ? " is-open" : ""
      }${isSelected ? " is-selected" : ""}`}
      style={{ left: `${left}px`, width: `${width}px`, top: `${top}px` }}
      tabIndex={isReachable || isSelected ? 0 : -1}
      aria-label={label}
      title={label}
      onClick={() => onSelect(first.entry)}
    >
      {count === 1 &&
        call.pauses.map(({ from, until }) => {
          const start = Math.max(0, positionOf(from, scale) - left)
          return (
            <span
              key={from}
              class="pause"
              style={{
                left: `${start}px`,
                width: `${Math.max(1, positionOf(until, scale) - left - start)}px`,
              }}
            />
          )
        })}
      {width > 56 && <span class="call-label">{shortLabel(call, count)}</span>}
    </button>
  )
}

const visibleTurns = (
  { turns }: Lane,
  scale: TimeScale,
  now: number,
): readonly { readonly left: number; readonly width: number; readonly isFailed: boolean }[] => {
  const bars: { left: number; width: number; isFailed: boolean }[] = []
  // A loop can have many iterations, so the turns are processed from the last one until no more
  // bars fit.
  for (let index = turns.length - 1; index >= 0 && bars.length < scale.width; index -= 1) {
    const turn = turns[index]
    if (turn === undefined || axisTime(turn.start, scale.gap) > scale.to) continue
    const end = turn.end ?? now
    if (axisTime(end, scale.gap) < scale.from) break
    const left = Math.max(0, positionOf(turn.start, scale))
    const right = Math.min(scale.width, positionOf(end, scale))
    const next = bars.at(-1)
    if (next !== undefined && next.left - right < 2 && next.isFailed === turn.isFailed) {
      next.width += next.left - left
      next.left = left
    } else bars.push({ left, width: Math.max(2, right - left), isFailed: turn.isFailed })
  }
  return bars
}

/**
 * Returns the name of the agent of a lane in the timeline. For a branch of a `forEach` block, the
 * number of the branch is added, for example `writer 2`.
 */
function nameOf({ agent, path, branch }: Lane): string {
  const [, block = "", item = ""] = /([^/]*)\[(\d+)\](?:~\d+)?\/[^/]*$/.exec(path) ?? []
  const isBranch = item !== "" && `.${branch ?? ""}`.endsWith(`.${block}.${item}`)
  return isBranch ? `${agent} ${Number(item) + 1}` : agent
}

/**
 * Returns the text of a bar's tooltip, which screen readers also read, for example `search 1.2 s, 2
 * attempts`. It begins with the short label that is also visible on the bar if the bar is wide
 * enough.
 */
function describe({ first: { call }, count }: CallBar, now: number): string {
  const { attempts, tokens, error } = call
  return [
    shortLabel(call, count),
    count > 1 ? `first: ${shortLabel(call, 1)}` : null,
    call.end === null ? `in flight for ${durationText(Math.max(0, now - call.start))}` : null,
    attempts > 1 ? `${attempts} attempts` : null,
    tokens === null ? null : `${tokens.input} input and ${tokens.output} output tokens`,
    error === null ? null : `failed: ${error}`,
  ]
    .filter((part) => part !== null)
    .join(", ")
}

const shortLabel = ({ kind, name, start, end }: LoggedCall, count: number): string =>
  count > 1
    ? `${count} calls`
    : `${kind === "tool" ? name : kind}${end === null ? "" : ` ${durationText(end - start)}`}`
