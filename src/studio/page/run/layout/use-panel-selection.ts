import { useState } from "preact/hooks"

/**
 * The ids of the selected panels in the view of a run. `side` is to the right of the drawing, and
 * `bottom` is below it. `last` is the panel that was selected last. A phone shows only this panel.
 */
export interface PanelSelection {
  readonly side: string
  readonly bottom: string
  readonly last: string
  /** Selects a panel to the right of the drawing or below it. */
  readonly select: (panel: { readonly id: string; readonly dock: "side" | "bottom" }) => void
  /** Whether the drawer with the selected panel is open on a phone. */
  readonly isDrawerOpen: boolean
  readonly setDrawerOpen: (isOpen: boolean) => void
}

/**
 * Hook that stores which panels are selected. `first` contains the ids of the panels that are
 * selected at first.
 */
export function usePanelSelection(first: {
  readonly side: string
  readonly bottom: string
}): PanelSelection {
  const [selected, setSelected] = useState({ ...first, last: first.side })
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  return {
    ...selected,
    isDrawerOpen,
    setDrawerOpen,
    select: ({ id, dock }) => setSelected((before) => ({ ...before, [dock]: id, last: id })),
  }
}
