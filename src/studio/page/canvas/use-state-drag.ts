import type { RefObject } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { agentAt } from "../../../run-chart/drawn-chart.js"
import type { Placement } from "../../edit-api.js"
import type { DrawnState } from "./drawn-states.js"
import type { CanvasBox, CanvasPoint, CanvasView } from "./view.js"

/**
 * A position in the drawing at which a dragged agent can be dropped. `placement` is the
 * corresponding position in the workflow.
 */
export interface DropTarget {
  readonly placement: Placement
  /** The area of the drawing that is highlighted to show where the agent would be inserted. */
  readonly mark: CanvasBox
}

/**
 * Functions for dragging agents in a drawing. They determine which agents can be dragged and where
 * an agent can be dropped, and they handle the drop.
 */
export interface AgentDrags {
  readonly canDrag: (agent: string) => boolean
  /**
   * Returns the position where the agent would be inserted if it were dropped at `point`. Returns
   * null if it cannot be dropped there.
   */
  readonly targetAt: (
    agent: string,
    point: CanvasPoint,
    states: readonly DrawnState[],
  ) => DropTarget | null
  readonly onDrop: (agent: string, placement: Placement) => void
}

interface StateDragOptions {
  readonly states: readonly DrawnState[]
  readonly view: CanvasView
  /** The rules for dragging agents. Undefined if agents cannot be dragged. */
  readonly drags: AgentDrags | undefined
}

/**
 * Distance in pixels that the pointer must move after a press before the drag of an agent starts.
 */
const dragDistance = 6

/**
 * Returns the id of the agent that a press of the pointer would drag. Returns null if it would drag
 * no agent. A touch never drags an agent, because it moves the drawing.
 */
export const draggedAgent = (event: PointerEvent, drags: AgentDrags | undefined): string | null => {
  const agent = event.button === 0 && event.pointerType !== "touch" ? agentAt(event.target) : null
  return agent !== null && drags?.canDrag(agent) === true ? agent : null
}

/**
 * Hook that lets the user drag the states of agents to other positions with the mouse. Escape
 * cancels a drag. Returns the position at which the agent would be dropped, or null without a drag.
 */
export function useStateDrag(
  element: RefObject<HTMLElement | null>,
  options: StateDragOptions,
): DropTarget | null {
  const [dropTarget, setDropTarget] = useState<DropTarget | null>(null)
  const latest = useRef(options)
  latest.current = options

  useEffect(() => {
    const box = element.current
    if (box === null) return
    let drag: { readonly agent: string; readonly from: CanvasPoint; hasMoved: boolean } | null =
      null
    let found: DropTarget | null = null
    const show = (next: DropTarget | null): void => setDropTarget((found = next))
    const markDragged = (isDragged: boolean): void => {
      for (const { agents, element: state } of latest.current.states)
        if (agents[0] === drag?.agent) state.classList.toggle("is-dragged", isDragged)
    }
    const end = (): void => {
      markDragged(false)
      drag = null
      show(null)
    }
    const onDown = (event: PointerEvent): void => {
      const agent = draggedAgent(event, latest.current.drags)
      drag =
        agent === null
          ? null
          : { agent, from: { x: event.clientX, y: event.clientY }, hasMoved: false }
    }
    const onMove = (event: PointerEvent): void => {
      if (drag === null) return
      const { clientX, clientY } = event
      if (!drag.hasMoved) {
        if (Math.hypot(clientX - drag.from.x, clientY - drag.from.y) < dragDistance) return
        drag.hasMoved = true
        box.setPointerCapture(event.pointerId)
        markDragged(true)
      }
      const { states, view, drags } = latest.current
      const { left, top } = box.getBoundingClientRect()
      const point = {
        x: (clientX - left - view.x) / view.scale,
        y: (clientY - top - view.y) / view.scale,
      }
      show(drags?.targetAt(drag.agent, point, states) ?? null)
    }
    const onUp = (): void => {
      const dropped = drag !== null && found !== null ? { agent: drag.agent, ...found } : null
      end()
      if (dropped !== null) latest.current.drags?.onDrop(dropped.agent, dropped.placement)
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && drag !== null) end()
    }
    const listeners = [
      ["pointerdown", onDown],
      ["pointermove", onMove],
      ["pointerup", onUp],
      ["pointercancel", end],
    ] as const
    for (const [type, listener] of listeners) box.addEventListener(type, listener)
    addEventListener("keydown", onKey)
    return () => {
      for (const [type, listener] of listeners) box.removeEventListener(type, listener)
      removeEventListener("keydown", onKey)
    }
  }, [element])
  return dropTarget
}
