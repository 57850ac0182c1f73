import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import "./check-row.css"

/** A count in the summary of a report, for example `2 findings`. `kind` determines its color. */
export interface CheckCount {
  readonly kind: "good" | "bad" | "open" | "quiet"
  readonly text: string
}

interface CheckRowProps {
  readonly name: string
  readonly path: string
  readonly summary: readonly CheckCount[]
  readonly note: string | null
  readonly children: ComponentChildren
}

/**
 * Component for a row that shows the name and the summary of a report. A click opens the details in
 * `children`.
 */
export function CheckRow({ name, path, summary, note, children }: CheckRowProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      class="check-row"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span class="check-name">{name}</span>
        <span class="check-counts">
          {summary.map(({ kind, text }) => (
            <span key={text} class={`check-count is-${kind}`}>
              {text}
            </span>
          ))}
          {note !== null && <span class="check-count is-quiet">{note}</span>}
        </span>
        <span class="check-path" title={path}>
          {path.slice(path.lastIndexOf("/") + 1)}
        </span>
      </summary>
      {isOpen && <div class="check-details">{children}</div>}
    </details>
  )
}
