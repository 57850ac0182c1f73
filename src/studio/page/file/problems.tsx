import "./problems.css"
import type { Diagnostic } from "../../api.js"

/** Lists the diagnostics of the text, with their fixes. */
export function Problems({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) {
  return (
    <section class="problems" aria-label="Problems" aria-live="polite">
      {diagnostics.length === 0 ? (
        <p class="calm">No problems.</p>
      ) : (
        <ul>
          {diagnostics.map((diagnostic, index) => (
            <li key={index} class={`is-${diagnostic.severity}`}>
              <strong>{diagnostic.message}</strong>
              <span>{diagnostic.fix}</span>
              <small>
                {diagnostic.code}
                {diagnostic.line !== undefined && ` · line ${diagnostic.line}`}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
