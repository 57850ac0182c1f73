import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"

interface DisclosureProps {
  readonly summary: ComponentChildren
  readonly class?: string
  readonly children: () => ComponentChildren
}

/** Component like the HTML element `details`, but its content is only rendered while it is open. */
export function Disclosure({ summary, class: name, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      {...(name !== undefined && { class: name })}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  )
}
