import { useEffect, useMemo, useRef } from "preact/hooks"
import type { ActorSummary, SequenceMessage, ServiceLane } from "../../../machines-api.js"
import { renderedRows, useViewport } from "../../parts/use-viewport.js"
import { shortName } from "./actor-tree.js"
import "./sequence-diagram.css"

interface SequenceDiagramProps {
  readonly actors: readonly ActorSummary[]
  readonly messages: readonly SequenceMessage[]
  /** Number of earlier messages that the diagram omits. */
  readonly leftOut: number
  /** The state machine whose messages are shown. Null if all messages are shown. */
  readonly selected: ActorSummary | null
  readonly onSelect: (actor: string) => void
}

/** Width of a lifeline (a column of the diagram) in pixels. */
const laneWidth = 124

/** Height of a message (a row of the diagram) in pixels. */
const rowHeight = 30

/**
 * Number of lifelines (columns) that are rendered to the left and to the right of the visible
 * lifelines.
 */
const nearbyLanes = 2

/**
 * Maximum distance of the scroll position from the end of the diagram, in pixels, at which the
 * diagram scrolls with new messages.
 */
const tailDistance = 40

/**
 * Component that shows the messages between state machines, services and people as arrows between
 * lifelines. Only the visible messages and lifelines are rendered.
 */
export function SequenceDiagram({
  actors,
  messages,
  leftOut,
  selected,
  onSelect,
}: SequenceDiagramProps) {
  const container = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const viewport = useViewport(container)
  useEffect(() => {
    if (container.current !== null && isAtEnd.current)
      container.current.scrollTop = container.current.scrollHeight
  }, [messages])

  const lanes = useMemo(() => lanesOf(actors, messages), [actors, messages])
  const indexes = new Map(lanes.map(({ id }, index) => [id, index]))
  const nameOf = (id: string): string => lanes[indexes.get(id) ?? -1]?.name ?? id
  const centre = (id: string): number => ((indexes.get(id) ?? 0) + 0.5) * laneWidth
  const rows = renderedRows(viewport, messages.length, rowHeight)
  const firstLane = Math.max(0, Math.floor(viewport.left / laneWidth) - nearbyLanes)
  const endLane = Math.ceil((viewport.left + viewport.width) / laneWidth) + nearbyLanes
  const visibleLanes = lanes.slice(firstLane, endLane)
  return (
    <div
      class="sequence"
      ref={container}
      tabIndex={0}
      role="group"
      aria-label={selected === null ? "Events between machines" : `Events of ${selected.name}`}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - tailDistance
      }}
    >
      <div class="sequence-all" style={{ width: `${lanes.length * laneWidth}px` }}>
        <div class="sequence-lanes" style={{ paddingLeft: `${firstLane * laneWidth}px` }}>
          {visibleLanes.map(({ id, name, isActor }) => (
            <div key={id} class="sequence-lane" style={{ width: `${laneWidth}px` }}>
              {isActor ? (
                <button type="button" title={name} onClick={() => onSelect(id)}>
                  {name}
                </button>
              ) : (
                <span class="is-service">{name}</span>
              )}
            </div>
          ))}
        </div>
        <div class="sequence-lines" aria-hidden="true">
          {visibleLanes.map(({ id }) => (
            <div key={id} class="sequence-line" style={{ left: `${centre(id)}px` }} />
          ))}
        </div>
        {leftOut > 0 && <p class="calm">{leftOut} earlier events are not shown.</p>}
        <ol
          style={{
            height: `${messages.length * rowHeight}px`,
            paddingTop: `${rows.first * rowHeight}px`,
          }}
        >
          {messages.slice(rows.first, rows.end).map((message, row) => {
            const [from, to] = [centre(message.from), centre(message.to)]
            const isSelf = from === to
            return (
              <li
                key={message.index}
                class={`is-${message.kind}`}
                style={{ height: `${rowHeight}px` }}
                aria-setsize={messages.length}
                aria-posinset={rows.first + row + 1}
                title={message.text === "" ? undefined : message.text}
              >
                <span
                  class={`sequence-arrow ${isSelf ? "is-self" : from < to ? "is-right" : "is-left"}`}
                  style={{
                    left: `${Math.min(from, to)}px`,
                    width: `${isSelf ? laneWidth / 4 : Math.abs(to - from)}px`,
                  }}
                  aria-hidden="true"
                />
                <span class="visually-hidden">
                  {nameOf(message.from)} to {nameOf(message.to)}:{" "}
                </span>
                <span
                  class="sequence-text"
                  style={{
                    left: `${Math.min(from, to)}px`,
                    width: `${Math.max(Math.abs(to - from), laneWidth)}px`,
                  }}
                >
                  {message.type}
                  {message.text !== "" && <small> {message.text}</small>}
                </span>
              </li>
            )
          })}
        </ol>
      </div>
    </div>
  )
}

interface SequenceLane {
  readonly id: string
  readonly name: string
  /**
   * Whether the lifeline (a column of the diagram) belongs to a state machine. If false, it stands
   * for services or people.
   */
  readonly isActor: boolean
}

/**
 * Returns the lifelines (columns) of all machines and services that have messages, from left to
 * right.
 */
function lanesOf(
  actors: readonly ActorSummary[],
  messages: readonly SequenceMessage[],
): readonly SequenceLane[] {
  const service = (name: ServiceLane): SequenceLane => ({ id: name, name, isActor: false })
  const used = new Set(messages.flatMap(({ from, to }) => [from, to]))
  return [
    service("people"),
    ...actors.map(({ id, name }) => ({ id, name: shortName(name), isActor: true })),
    service("models"),
    service("tools"),
  ].filter(({ id }) => used.has(id))
}
