import { useState } from "preact/hooks"
import type { ComparedStep, RunStep } from "../../compare-api.js"
import { runHash } from "../client/run-hash.js"
import "./compare-steps.css"
import { DifferentText } from "./different-text.js"

interface CompareStepsProps {
  readonly steps: readonly ComparedStep[]
  /** Number of steps at the end that the comparison omits to limit its size. */
  readonly leftOut: number
  /** Id of run A, whose steps are on the left side. `b` is the id of run B. */
  readonly a: string
  readonly b: string
}

/**
 * Component that shows the steps of two runs side by side. The user can hide steps that are the
 * same in both runs.
 */
export function CompareSteps({ steps, leftOut, a, b }: CompareStepsProps) {
  const [isShort, setShort] = useState(false)
  const [expanded, setExpanded] = useState<number | null>(null)
  const listed = steps.map((step, index) => ({ step, index }))
  return (
    <section aria-label="Steps">
      <div class="compare-steps-bar">
        <h3>Steps</h3>
        <label class="check">
          <input
            type="checkbox"
            checked={isShort}
            onChange={({ currentTarget }) => setShort(currentTarget.checked)}
          />
          Only differences
        </label>
      </div>
      <ol class="compare-steps">
        {listed
          .filter(({ step }) => !isShort || !step.isSame)
          .map(({ step, index }) => (
            <li key={index} class={step.isSame ? "is-same" : "is-different"}>
              <button
                type="button"
                aria-expanded={expanded === index}
                onClick={() => setExpanded(expanded === index ? null : index)}
              >
                <StepLine step={step.a} />
                <StepLine step={step.b} />
              </button>
              {expanded === index && <StepDetails step={step} a={a} b={b} />}
            </li>
          ))}
      </ol>
      {leftOut > 0 && <p class="calm">{leftOut} more steps are not shown.</p>}
    </section>
  )
}

const kinds = {
  model: "model",
  tool: "tool",
  node: "node",
  host: "function",
  workflow: "workflow",
  person: "person",
} as const

function StepLine({ step }: { readonly step: RunStep | null }) {
  if (step === null) return <span class="step-line is-missing">no such step</span>
  return (
    <span class={step.isFailed ? "step-line is-failed" : "step-line"}>
      <span class="step-title">
        <span class={`step-kind of-${step.kind}`}>{kinds[step.kind]}</span>
        <span class="step-path">{step.path}</span>
        {step.kind !== "model" && <span class="step-label">{step.label}</span>}
      </span>
      <span class="step-output">{step.output === "" ? "no result" : step.output}</span>
    </span>
  )
}

function StepDetails({
  step,
  a,
  b,
}: {
  readonly step: ComparedStep
  readonly a: string
  readonly b: string
}) {
  const input = [step.a?.input ?? "", step.b?.input ?? ""] as const
  return (
    <div class="step-details">
      {input.some((text) => text !== "") && (
        <>
          <h4>Arguments</h4>
          <DifferentText a={input[0]} b={input[1]} />
        </>
      )}
      <h4>{step.a?.kind === "model" ? "Response" : "Result"}</h4>
      <DifferentText a={step.a?.output ?? ""} b={step.b?.output ?? ""} />
      <p class="step-links">
        {(
          [
            ["A", a, step.a],
            ["B", b, step.b],
          ] as const
        ).map(
          ([name, runId, one]) =>
            one?.record != null && (
              <a key={name} href={runHash(runId, { by: "record", count: one.record })}>
                Show in run {name}
              </a>
            ),
        )}
      </p>
    </div>
  )
}
