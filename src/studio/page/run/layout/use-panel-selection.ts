import { useState } from "preact/hooks"

/**
 * The selected panel of each dock. `last` is the panel that was selected last; a phone shows only
 * this panel.
 */
export interface PanelSelection {
  readonly side: string
  readonly bottom: string
  readonly last: string
  /** Selects a panel of either dock. */
  readonly select: (panel: { readonly id: string; readonly dock: "side" | "bottom" }) => void
  /** Whether the drawer is open in which a phone shows the selected panel. */
  readonly isDrawerOpen: boolean
  readonly setDrawerOpen: (isOpen: boolean) => void
}

/** Manages the selected panels. `first` contains the ids of the initial panels. */
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
