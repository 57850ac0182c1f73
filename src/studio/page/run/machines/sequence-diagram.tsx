import { useEffect, useRef } from "preact/hooks"
import type { ActorSummary, SequenceMessage } from "../../../machines-api.js"
import { shortName } from "./actor-tree.js"
import "./sequence-diagram.css"

interface SequenceDiagramProps {
  readonly actors: readonly ActorSummary[]
  readonly messages: readonly SequenceMessage[]
  /** Number of earlier messages that are not shown. */
  readonly leftOut: number
  /** The machine whose messages are shown. null shows all messages. */
  readonly selected: ActorSummary | null
  readonly onSelect: (actor: string) => void
}

/** Width of a lifeline in pixels. */
const laneWidth = 124

/**
 * If the user has scrolled to at most this distance in pixels from the end, the diagram scrolls
 * with new messages.
 */
const tailDistance = 40

/** Shows the events between machines, services and people as arrows between lifelines. */
export function SequenceDiagram({
  actors,
  messages,
  leftOut,
  selected,
  onSelect,
}: SequenceDiagramProps) {
  const container = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (container.current !== null && isAtEnd.current)
      container.current.scrollTop = container.current.scrollHeight
  }, [messages])

  const used = new Set(messages.flatMap(({ from, to }) => [from, to]))
  const lanes = [
    { id: "people", name: "people" },
    ...actors.map(({ id, name }) => ({ id, name: shortName(name) })),
    { id: "models", name: "models" },
    { id: "tools", name: "tools" },
  ].filter(({ id }) => used.has(id))
  const indexes = new Map(lanes.map(({ id }, index) => [id, index]))
  const names = new Map(lanes.map(({ id, name }) => [id, name]))
  const centre = (id: string): number => ((indexes.get(id) ?? 0) + 0.5) * laneWidth
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
        <div class="sequence-lanes">
          {lanes.map(({ id, name }) => (
            <div key={id} class="sequence-lane" style={{ width: `${laneWidth}px` }}>
              {names.has(id) && actors.some((actor) => actor.id === id) ? (
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
          {lanes.map(({ id }) => (
            <div key={id} class="sequence-line" style={{ left: `${centre(id)}px` }} />
          ))}
        </div>
        {leftOut > 0 && <p class="calm">{leftOut} earlier events are not shown.</p>}
        <ol>
          {messages.map((message) => {
            const [from, to] = [centre(message.from), centre(message.to)]
            const isSelf = from === to
            return (
              <li
                key={message.index}
                class={`is-${message.kind}`}
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
                  {names.get(message.from)} to {names.get(message.to)}:{" "}
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
