import { useState } from "preact/hooks"

/**
 * The selected panel of each dock. `last` is the most recently selected panel, which is the only
 * panel that a phone shows.
 */
export interface PanelSelection {
  readonly side: string
  readonly bottom: string
  readonly last: string
  /** Selects a panel of either dock. */
  readonly select: (panel: { readonly id: string; readonly dock: "side" | "bottom" }) => void
  /** Whether the drawer that contains the selected panel on a phone is open. */
  readonly isDrawerOpen: boolean
  readonly setDrawerOpen: (isOpen: boolean) => void
}

/** Manages which panels are selected. `first` contains the id of the initial panel of each dock. */
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
