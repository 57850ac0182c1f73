import { useState } from "preact/hooks"
import type { PolicyDiagnostic, PolicyVerdict, PolicyVerdicts } from "../../checks-api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import { runHash } from "../client/run-hash.js"
import type { CheckCount } from "./check-row.js"
import { ErrorMessage } from "../parts/error-message.js"
import "./policy-list.css"

const verdictKinds = { violated: "bad", unknown: "open", proved: "good" } as const

/**
 * Returns the number of policies with each verdict, for example `2 proved`. Verdicts that need
 * attention come first. `verdicts` is null while the policies are being checked.
 */
export function policySummary(verdicts: PolicyVerdicts | null): readonly CheckCount[] {
  if (verdicts === null) return [{ kind: "quiet", text: "deciding…" }]
  const { problems, results } = verdicts
  if (problems.length > 0)
    return [
      {
        kind: "bad",
        text: `${problems.length} ${problems.length === 1 ? "problem" : "problems"} in the file`,
      },
    ]
  return (["violated", "unknown", "proved"] as const).flatMap((verdict) => {
    const count = results.filter((result) => result.verdict === verdict).length
    return count === 0 ? [] : [{ kind: verdictKinds[verdict], text: `${count} ${verdict}` }]
  })
}

interface PolicyListProps {
  readonly verdicts: PolicyVerdicts | null
  /** Path and current editor text of the workflow to which the policies apply. */
  readonly workflow: { readonly file: string; readonly text: string }
}

/**
 * Component that lists the policies of a file with their verdicts. The user can start a run that
 * replays a counterexample.
 */
export function PolicyList({ verdicts, workflow }: PolicyListProps) {
  const [error, setError] = useState<string | null>(null)
  const [playing, setPlaying] = useState<number | null>(null)
  if (verdicts === null) return <p class="calm">The policies are being decided.</p>
  const play = async ({ line }: PolicyVerdict): Promise<void> => {
    setPlaying(line)
    try {
      const { runId } = await fetchJson<{ readonly runId: string }>("/policies/play", {
        method: "POST",
        body: { ...workflow, policies: verdicts.path, line },
      })
      location.hash = runHash(runId)
    } catch (cause) {
      setError(messageOf(cause))
      setPlaying(null)
    }
  }
  return (
    <div class="policies">
      <ErrorMessage text={error} />
      <FileProblems problems={verdicts.problems} path={verdicts.path} />
      {verdicts.warnings.map(({ line, column, message, fix }) => (
        <p key={`${line}:${column}:${message}`} class="policy-warning">
          <PolicyPosition path={verdicts.path} line={line} column={column} /> {message} {fix}
        </p>
      ))}
      {verdicts.results.map((result) => (
        <Verdict
          key={result.line}
          path={verdicts.path}
          result={result}
          isPlaying={playing === result.line}
          onPlay={() => void play(result)}
        />
      ))}
    </div>
  )
}

function FileProblems({
  problems,
  path,
}: {
  readonly problems: readonly PolicyDiagnostic[]
  readonly path: string
}) {
  return (
    <>
      {problems.map(({ line, column, message, fix }) => (
        <p key={`${line}:${column}:${message}`} class="policy-problem">
          <PolicyPosition path={path} line={line} column={column} /> {message} {fix}
        </p>
      ))}
    </>
  )
}

const PolicyPosition = ({
  path,
  line,
  column,
}: {
  readonly path: string
  readonly line: number
  readonly column: number
}) => (
  <code class="policy-place">
    {path.slice(path.lastIndexOf("/") + 1)}:{line}:{column}
  </code>
)

interface VerdictProps {
  readonly path: string
  readonly result: PolicyVerdict
  readonly isPlaying: boolean
  readonly onPlay: () => void
}

function Verdict({ path, result, isPlaying, onPlay }: VerdictProps) {
  const { name, verdict, vacuous, description, message, fix, reasons, assumptions } = result
  const steps = (result.counterexample?.path ?? []).filter(({ does }) => does !== "")
  return (
    <article class={`policy is-${verdictKinds[verdict]}`}>
      <header>
        <h3>{name}</h3>
        <span class={`check-count is-${verdictKinds[verdict]}`}>
          {verdict}
          {vacuous && " (nothing can trigger it)"}
        </span>
        <PolicyPosition path={path} line={result.line} column={result.column} />
      </header>
      {description !== null && <p class="calm">{description}</p>}
      {(verdict !== "proved" || vacuous) && <p>{message}</p>}
      {steps.length > 0 && (
        <ol class="policy-steps" aria-label={`Counterexample of ${name}`}>
          {steps.map(({ does, occurs }, index) => (
            <li key={index}>
              {does}
              {occurs.length > 0 && <code>{occurs.join(", ")}</code>}
            </li>
          ))}
        </ol>
      )}
      {reasons
        .filter((reason) => reason.message !== message)
        .map((reason) => (
          <p key={reason.message}>
            {reason.message} {reason.fix}
          </p>
        ))}
      {fix !== null && (
        <p>
          <span class="policy-label">Fix</span> {fix}
        </p>
      )}
      {assumptions.length > 0 && (
        <p>
          <span class="policy-label">Assumes</span> {assumptions.join("; ")}
        </p>
      )}
      <footer>
        {result.counterexample !== null && (
          <button type="button" disabled={isPlaying} onClick={onPlay}>
            {isPlaying ? "Starting…" : "Play the counterexample"}
          </button>
        )}
        <details>
          <summary>Policy in the file</summary>
          <pre tabIndex={0}>{result.source}</pre>
        </details>
      </footer>
    </article>
  )
}
