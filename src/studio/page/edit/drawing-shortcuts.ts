import type { EditAction } from "./edit-actions.js"

/**
 * A keyboard shortcut of the drawing. `does` is its action, and each entry of `keys` triggers it.
 */
export interface Shortcut {
  readonly does: EditAction | "next" | "previous" | "undo" | "redo" | "help"
  readonly keys: readonly string[]
  readonly label: string
}

/**
 * All keyboard shortcuts of the drawing, in the order in which the help lists them. On a Mac, Ctrl
 * is Cmd.
 */
export const shortcuts: readonly Shortcut[] = [
  { does: "next", keys: ["N"], label: "Select the next agent" },
  { does: "previous", keys: ["P"], label: "Select the previous agent" },
  { does: "fields", keys: ["Enter"], label: "Edit fields" },
  { does: "addBefore", keys: ["B"], label: "Add before" },
  { does: "addAfter", keys: ["A"], label: "Add after" },
  { does: "addInside", keys: ["I"], label: "Add inside" },
  { does: "wrap", keys: ["W"], label: "Wrap" },
  { does: "unwrap", keys: ["U"], label: "Unwrap" },
  { does: "move", keys: ["M"], label: "Move to another place" },
  { does: "edges", keys: ["E"], label: "Connect and disconnect a node of a graph" },
  { does: "earlier", keys: ["Alt+↑"], label: "Move earlier" },
  { does: "later", keys: ["Alt+↓"], label: "Move later" },
  { does: "rename", keys: ["F2"], label: "Rename" },
  { does: "remove", keys: ["Delete"], label: "Remove" },
  { does: "undo", keys: ["Ctrl+Z"], label: "Undo" },
  { does: "redo", keys: ["Ctrl+Shift+Z", "Ctrl+Y"], label: "Redo" },
  { does: "help", keys: ["?"], label: "Show the keyboard shortcuts" },
]

const keyNames: Readonly<Record<string, string>> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  Backspace: "Delete",
}

/**
 * Returns the keyboard shortcut that a key event triggers. Returns null if the event triggers none.
 */
export function shortcutOf(event: KeyboardEvent): Shortcut | null {
  const key = keyNames[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key)
  const name = [
    ...(event.ctrlKey || event.metaKey ? ["Ctrl"] : []),
    ...(event.altKey ? ["Alt"] : []),
    // The other shortcuts are the same with and without Shift, which some keyboards need for "?".
    ...(event.shiftKey && (event.ctrlKey || event.metaKey) ? ["Shift"] : []),
    key,
  ].join("+")
  return shortcuts.find(({ keys }) => keys.includes(name)) ?? null
}
