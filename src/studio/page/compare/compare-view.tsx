import { useEffect, useState } from "preact/hooks"
import type { StudioRun } from "../../api.js"
import type { RunComparison } from "../../compare-api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import { compareHash, runHash } from "../client/run-hash.js"
import { CompareFacts } from "./compare-facts.js"
import { CompareSteps } from "./compare-steps.js"
import "./compare-view.css"
import { DifferentText } from "./different-text.js"
import { ErrorMessage } from "../parts/error-message.js"
import { timeText } from "../parts/time-text.js"

interface CompareViewProps {
  readonly a: string
  /** Id of the second run. Null until the user has selected it. */
  readonly b: string | null
  /** All runs that can be selected, newest first. */
  readonly runs: readonly StudioRun[]
}

/** Milliseconds between two reloads of the comparison while one of the runs has not ended. */
const reloadInterval = 1_000

/** Component that compares two runs by their results, steps, final states and costs. */
export function CompareView({ a, b, runs }: CompareViewProps) {
  const [comparison, setComparison] = useState<RunComparison | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [reloads, setReloads] = useState(0)

  useEffect(() => {
    if (b === null) return
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const query = new URLSearchParams({ a, b })
    fetchJson<RunComparison>(`/compare?${query}`, { signal }).then(
      (loaded) => {
        setComparison(loaded)
        setError(null)
        if ([loaded.a, loaded.b].some(({ status }) => status === "running" || status === "waiting"))
          timer = setTimeout(() => setReloads((count) => count + 1), reloadInterval)
      },
      (cause: unknown) => {
        if (!signal.aborted) setError(messageOf(cause))
      },
    )
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [a, b, reloads])

  const chart = runs.find(({ runId }) => runId === a)?.chart
  // Runs of the same workflow come first, because they can be compared step by step.
  const others = [...runs].sort(
    (one, other) => Number(other.chart === chart) - Number(one.chart === chart),
  )
  return (
    <div class="compare">
      <header class="compare-heads">
        {(["a", "b"] as const).map((side) => {
          const runId = side === "a" ? a : b
          return (
            <div key={side} class={`compare-head is-${side}`}>
              <label>
                Run {side.toUpperCase()}
                <select
                  value={runId ?? ""}
                  onChange={({ currentTarget: { value } }) => {
                    location.hash = side === "a" ? compareHash(value, b) : compareHash(a, value)
                  }}
                >
                  {runId === null && <option value="">Select a run</option>}
                  {runId !== null && !others.some((run) => run.runId === runId) && (
                    <option value={runId}>{runId}</option>
                  )}
                  {others.map((run) => (
                    <option key={run.runId} value={run.runId}>
                      {run.chart} · {timeText(run.startedAt)} · {run.status} ·{" "}
                      {run.runId.slice(0, 8)}
                    </option>
                  ))}
                </select>
              </label>
              {runId !== null && <a href={runHash(runId)}>Open</a>}
            </div>
          )
        })}
      </header>
      <ErrorMessage text={error} />
      {b === null && <p class="empty">Select the run to compare with.</p>}
      {comparison !== null && b !== null && <Comparison comparison={comparison} />}
    </div>
  )
}

function Comparison({ comparison }: { readonly comparison: RunComparison }) {
  const { a, b, agents, instructions, state, forkedAt } = comparison
  const isSame =
    a.status === b.status &&
    a.text === b.text &&
    state.length === 0 &&
    comparison.steps.every((step) => step.isSame)
  return (
    <>
      <p class="compare-verdict" role="status">
        {isSame
          ? "The runs have the same steps, the same state and the same result."
          : changesText(comparison)}
        {forkedAt !== null &&
          ` The runs share the first ${forkedAt} ${forkedAt === 1 ? "record" : "records"}.`}
      </p>
      <CompareFacts a={a} b={b} />
      {instructions.map((changed) => (
        <section key={changed.agent} aria-label={`Instruction of ${changed.agent}`}>
          <h3>Instruction of {changed.agent}</h3>
          <DifferentText a={changed.a ?? ""} b={changed.b ?? ""} />
        </section>
      ))}
      <section aria-label="Result">
        <h3>Result</h3>
        <DifferentText a={a.error?.message ?? a.text ?? ""} b={b.error?.message ?? b.text ?? ""} />
      </section>
      {state.length > 0 && (
        <section aria-label="State">
          <h3>State</h3>
          {state.map((difference) => (
            <div key={difference.key} class="compare-state">
              <h4>{difference.key}</h4>
              <DifferentText a={shown(difference.before)} b={shown(difference.after)} />
            </div>
          ))}
        </section>
      )}
      {agents.added.length + agents.removed.length > 0 && (
        <p>
          {agents.removed.length > 0 && `Only run A has started ${agents.removed.join(", ")}. `}
          {agents.added.length > 0 && `Only run B has started ${agents.added.join(", ")}.`}
        </p>
      )}
      <CompareSteps steps={comparison.steps} leftOut={comparison.leftOut} a={a.runId} b={b.runId} />
    </>
  )
}

function changesText({ a, b, state, steps }: RunComparison): string {
  const parts = [
    ...(a.status === b.status ? [] : ["the status"]),
    ...(a.text === b.text ? [] : ["the text"]),
    ...(state.length === 0 ? [] : [`${state.length} state ${state.length === 1 ? "key" : "keys"}`]),
  ]
  const different = steps.filter(({ isSame }) => !isSame).length
  if (different > 0) parts.push(`${different} of ${steps.length} steps`)
  return parts.length === 0 ? "" : `Different: ${parts.join(", ")}.`
}

const shown = (value: unknown): string =>
  value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 2)
