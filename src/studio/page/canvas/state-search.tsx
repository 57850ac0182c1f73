import { useMemo, useState } from "preact/hooks"
import type { DrawnState, FoundState } from "./drawn-states.js"
import { matchingEntries, searchEntries } from "./drawn-states.js"

interface StateSearchProps {
  readonly states: readonly DrawnState[]
  readonly onFind: (entry: FoundState) => void
}

/** Maximum number of matches that the search shows. */
const maxMatches = 12

/**
 * Search field that finds a state of the drawing by its name. Enter selects the first match, and
 * the arrow keys select other matches.
 */
export function StateSearch({ states, onFind }: StateSearchProps) {
  const [text, setText] = useState("")
  const [index, setIndex] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const entries = useMemo(() => searchEntries(states), [states])
  const matches = useMemo(() => matchingEntries(entries, text), [entries, text])
  const shown = isOpen ? matches.slice(0, maxMatches) : []
  const find = (entry: FoundState | undefined): void => {
    if (entry === undefined) return
    setText(entry.name)
    setIsOpen(false)
    onFind(entry)
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && shown.length > 0)
      setIndex((index + step + shown.length) % shown.length)
    else if (event.key === "Enter") find(shown[index] ?? matches[0])
    else if (event.key === "Escape") setIsOpen(false)
    else return
    event.preventDefault()
  }
  return (
    <div class="state-search">
      <input
        role="combobox"
        aria-label="Find a state"
        aria-expanded={shown.length > 0}
        aria-controls="state-search-matches"
        aria-autocomplete="list"
        {...(shown.length > 0 && { "aria-activedescendant": `state-match-${index}` })}
        placeholder="Find a state"
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setIndex(0)
          setIsOpen(true)
        }}
        onKeyDown={onKey}
        onBlur={() => setIsOpen(false)}
      />
      <ul id="state-search-matches" role="listbox" aria-label="States" hidden={shown.length === 0}>
        {shown.map((entry, position) => (
          <li
            key={entry.name}
            id={`state-match-${position}`}
            role="option"
            aria-selected={position === index}
            // A click must not move the focus, which would close the list first.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => find(entry)}
          >
            {entry.name}
            {entry.state.isFolded && <small> in {entry.state.title}</small>}
          </li>
        ))}
      </ul>
      <p class="search-status" role="status">
        {isOpen && text.trim() !== "" && matches.length === 0 && "No state has this name."}
        {matches.length > maxMatches && isOpen && `${matches.length} states match.`}
      </p>
    </div>
  )
}
