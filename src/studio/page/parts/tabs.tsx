import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import "./tabs.css"

interface TabsProps {
  readonly label: string
  readonly tabs: Readonly<
    Record<string, { readonly name: string; readonly content: ComponentChildren }>
  >
  /** Id of the selected tab. Null if no tab is open. */
  readonly selected: string | null
  readonly onSelect: (tab: string) => void
}

/**
 * Component for a tab list with the keyboard support that ARIA defines. Only the content of the
 * selected tab is rendered.
 */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const names = Object.keys(tabs)
  const onKey = (event: KeyboardEvent): void => {
    const index = names.indexOf(selected ?? "")
    const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key]
    const next = target === undefined ? undefined : names.at(target % names.length)
    if (next === undefined) return
    event.preventDefault()
    if (next === selected) return
    onSelect(next)
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }
  return (
    <section class="tabs" aria-label={label}>
      <div role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {names.map((id) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === selected}
            aria-controls={`panel-${id}`}
            tabIndex={id === (selected ?? names[0]) ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {tabs[id]?.name}
          </button>
        ))}
      </div>
      {names.map((id) => (
        <div
          key={id}
          id={`panel-${id}`}
          role="tabpanel"
          aria-labelledby={`tab-${id}`}
          hidden={id !== selected}
        >
          {id === selected && tabs[id]?.content}
        </div>
      ))}
    </section>
  )
}
