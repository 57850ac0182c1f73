import { useState } from "preact/hooks"

/** The selected panels: one in each dock, and the last of them, which a phone shows. */
export interface PanelSelection {
  readonly side: string
  readonly bottom: string
  readonly last: string
  /** Selects a panel of either dock. */
  readonly select: (panel: { readonly id: string; readonly dock: "side" | "bottom" }) => void
}

/** Selects the panels with these ids first. */
export function usePanelSelection(first: {
  readonly side: string
  readonly bottom: string
}): PanelSelection {
  const [selected, setSelected] = useState({ ...first, last: first.side })
  return {
    ...selected,
    select: ({ id, dock }) => setSelected((before) => ({ ...before, [dock]: id, last: id })),
  }
}
