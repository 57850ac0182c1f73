import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"

interface TabsProps {
  readonly label: string
  readonly tabs: Readonly<
    Record<string, { readonly name: string; readonly shows: ComponentChildren }>
  >
  readonly chosen: string
  readonly onChoose: (tab: string) => void
}

/** Tabs as the keys expect them: arrows move among them. */
export function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const names = Object.keys(tabs)
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length] ?? chosen
    onChoose(next)
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
            aria-selected={id === chosen}
            aria-controls={`panel-${id}`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
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
          hidden={id !== chosen}
        >
          {id === chosen && tabs[id]?.shows}
        </div>
      ))}
    </section>
  )
}
