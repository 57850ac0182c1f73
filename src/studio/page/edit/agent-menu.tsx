import "./agent-menu.css"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { AgentInTree } from "./agent-tree.js"
import type { EditAction } from "./edit-actions.js"
import { actionNames, isOffered, obstacleOf } from "./edit-actions.js"
import { shortcuts } from "./drawing-shortcuts.js"

interface AgentMenuProps {
  readonly agent: AgentInTree
  /**
   * Horizontal position of the menu in the browser window, in pixels. `y` is the vertical position.
   */
  readonly x: number
  readonly y: number
  readonly onAction: (action: EditAction) => void
  readonly onClose: () => void
}

const actions = Object.keys(actionNames) as EditAction[]

/**
 * Component for the context menu of an agent in the drawing. It lists the possible edit actions.
 */
export function AgentMenu({ agent, x, y, onAction, onClose }: AgentMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState({ left: x, top: y })
  const possible = actions.filter((action) => isOffered(action, agent))

  useLayoutEffect(() => {
    const size = menu.current?.getBoundingClientRect()
    if (size === undefined) return
    setPosition({
      left: Math.max(0, Math.min(x, innerWidth - size.width - 8)),
      top: Math.max(0, Math.min(y, innerHeight - size.height - 8)),
    })
    menu.current?.querySelector("button")?.focus()
  }, [x, y])
  useEffect(() => {
    const close = ({ target }: Event): void => {
      if (target instanceof Node && menu.current?.contains(target) !== true) onClose()
    }
    addEventListener("pointerdown", close)
    return () => removeEventListener("pointerdown", close)
  }, [onClose])

  const onKey = (event: KeyboardEvent): void => {
    const items = [...(menu.current?.querySelectorAll("button") ?? [])]
    const index = items.findIndex((item) => item === document.activeElement)
    if (event.key === "ArrowDown") items[(index + 1) % items.length]?.focus()
    else if (event.key === "ArrowUp") items.at(index - 1)?.focus()
    else if (event.key === "Home") items[0]?.focus()
    else if (event.key === "End") items.at(-1)?.focus()
    else if (event.key === "Escape" || event.key === "Tab") onClose()
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={menu}
      class="agent-menu"
      role="menu"
      aria-label={agent.name}
      style={{ left: `${position.left}px`, top: `${position.top}px` }}
      onKeyDown={onKey}
    >
      {possible.map((action) => (
        <button
          key={action}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={action === "remove" ? "is-dangerous" : ""}
          aria-disabled={obstacleOf(action, agent) !== null}
          onClick={() => onAction(action)}
        >
          <span>{actionNames[action]}</span>
          <kbd aria-hidden="true">
            {shortcuts.find(({ does }) => does === action)?.keys[0] ?? ""}
          </kbd>
        </button>
      ))}
    </div>
  )
}
