import { useState } from "preact/hooks"
import type { RunResult } from "../../../api.js"
import { lazy } from "../../parts/lazy.js"
import { ToolFailures } from "./tool-failures.js"

/**
 * The component that renders Markdown. Its code is loaded with the first result, so that the page
 * starts without the Markdown parser.
 */
const Markdown = lazy(async () => (await import("../../markdown/markdown.js")).Markdown)

interface RunResultViewProps {
  readonly result: RunResult
  /**
   * Called when the user wants to see the event that caused the failure of the run. Absent if there
   * is no such event.
   */
  readonly onShowCause?: () => void
}

/** Number of characters above which the text of a result can be folded. */
const longText = 280

/**
 * Component that shows the final text of a run, or its error and the agent that caused the error.
 */
export function RunResultView({ result, onShowCause }: RunResultViewProps) {
  const { status, text, error, toolFailures = [] } = result
  const [isExpanded, setExpanded] = useState(false)
  const isLong = (text?.length ?? 0) > longText
  const hasEnded = status !== "running" && status !== "waiting"
  const isAnswer = hasEnded && error === null && text !== null && text !== ""
  if (!isAnswer && error === null && toolFailures.length === 0) return null
  return (
    <section class={error === null ? "run-result" : "run-result is-error"} aria-label="Result">
      {error !== null && (
        <div class="run-error">
          <p>
            <strong>{error.agent === null ? "The run failed" : `${error.agent} failed`}</strong>{" "}
            <code>{error.code}</code>
            {error.status !== undefined && <small> status {error.status}</small>}
          </p>
          <p class="run-error-message">{error.message}</p>
          {onShowCause !== undefined && (
            <button type="button" onClick={onShowCause}>
              Show the failed call
            </button>
          )}
        </div>
      )}
      {isAnswer && (
        <>
          <div
            class={isLong && !isExpanded ? "answer is-folded" : "answer"}
            tabIndex={isLong ? 0 : undefined}
            role="group"
            aria-label="Final answer"
          >
            <Markdown text={text} />
          </div>
          {isLong && (
            <button
              type="button"
              class="unfold"
              aria-expanded={isExpanded}
              onClick={() => setExpanded(!isExpanded)}
            >
              {isExpanded ? "Show less" : "Show all"}
            </button>
          )}
        </>
      )}
      <ToolFailures result={result} />
    </section>
  )
}
