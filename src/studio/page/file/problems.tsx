import "./problems.css"
import { useState } from "preact/hooks"
import { foldDiagnostics } from "../../../compiler/diagnostics/fold-diagnostics.js"
import type { Diagnostic } from "../../api.js"

interface ProblemsProps {
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the diagnostics belong to the current text in the editor. */
  readonly isCurrent: boolean
  readonly path: string
  /** Called when the user clicks a problem, to show its location in the editor. */
  readonly onLocation: (line: number, column: number) => void
}

/**
 * Component that lists the errors and warnings of a workflow text with their locations and fixes.
 * Errors come first.
 */
export function Problems({ diagnostics, isCurrent, path, onLocation }: ProblemsProps) {
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  const others = diagnostics.filter(({ severity }) => severity !== "error")
  if (diagnostics.length === 0)
    return (
      <section class="problems is-clean" aria-label="Problems" aria-live="polite">
        <p class="calm">{isCurrent ? "No problems." : "Checking…"}</p>
      </section>
    )
  return (
    <section class="problems" aria-label="Problems" aria-live="polite">
      <h3>
        {[countText(errors.length, "error"), countText(others.length, "warning")]
          .filter((text) => text !== "")
          .join(", ")}
      </h3>
      <ul>
        {foldDiagnostics([...errors, ...others]).flatMap(({ diagnostic, more }) => [
          <Problem
            key={keyOf(diagnostic)}
            diagnostic={diagnostic}
            path={path}
            onLocation={onLocation}
          />,
          more.length > 0 && (
            <MoreProblems
              key={`more ${keyOf(diagnostic)}`}
              diagnostics={more}
              path={path}
              onLocation={onLocation}
            />
          ),
        ])}
      </ul>
    </section>
  )
}

function Problem({
  diagnostic,
  path,
  onLocation,
}: { readonly diagnostic: Diagnostic } & Pick<ProblemsProps, "path" | "onLocation">) {
  const { severity, message, fix, code, file, line, column } = diagnostic
  const isInFile = file === undefined || path.endsWith(file)
  const location = `${isInFile ? "" : `${file}, `}line ${line}`
  return (
    <li class={`is-${severity}`}>
      <p class="problem-message">{message}</p>
      <p class="problem-fix">{fix}</p>
      <p class="problem-facts">
        {line !== undefined &&
          (isInFile ? (
            <button type="button" onClick={() => onLocation(line, column ?? 1)}>
              {location}
            </button>
          ) : (
            <span>{location}</span>
          ))}
        <code>{code}</code>
      </p>
    </li>
  )
}

/** Button with the number of further problems of the same kind. A click lists these problems. */
function MoreProblems({
  diagnostics,
  path,
  onLocation,
}: Pick<ProblemsProps, "diagnostics" | "path" | "onLocation">) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <>
        {diagnostics.map((diagnostic) => (
          <Problem
            key={keyOf(diagnostic)}
            diagnostic={diagnostic}
            path={path}
            onLocation={onLocation}
          />
        ))}
      </>
    )
  return (
    <li class={`is-${diagnostics[0]?.severity ?? "error"}`}>
      <button type="button" class="problem-more" onClick={() => setOpen(true)}>
        Show {diagnostics.length} more of the same kind
      </button>
    </li>
  )
}

const keyOf = ({ file, line, column, message }: Diagnostic): string =>
  `${file}:${line}:${column} ${message}`

const countText = (count: number, noun: string): string =>
  count === 0 ? "" : count === 1 ? `1 ${noun}` : `${count} ${noun}s`
