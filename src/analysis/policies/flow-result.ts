import type { Policy } from "../../policies/policy.js"
import type { FlowVerdict } from "../flow/decide-flow.js"
import type { FlowStep } from "../flow/flow-state.js"
import { stepText } from "../flow/flow-state.js"
import { notAnalyzed, orderOfMachine, undeclaredToolset } from "./reasons.js"
import type { Counterexample, PolicyReason, PolicyResult } from "./policy-result.js"

/**
 * Converts the verdict on a `noFlow` policy to a result with a message and a fix. If the policy is
 * violated, the data path is the counterexample.
 */
export function flowResult(
  { name, rule, line, column }: Policy,
  flow: FlowVerdict,
  assumptions: readonly string[],
  vacuous: boolean,
): PolicyResult {
  const base = {
    name,
    pattern: rule.pattern,
    line,
    column,
    verdict: flow.verdict === "not_analyzed" ? ("unknown" as const) : flow.verdict,
    vacuous: vacuous && flow.verdict === "proved",
    assumptions,
    states: 0,
    reasons: [],
    counterexample: null,
  }
  switch (flow.verdict) {
    case "not_analyzed": {
      const reason = notAnalyzed(flow.construct)
      return { ...base, reasons: [reason], message: reason.message, fix: reason.fix }
    }
    case "proved":
      return {
        ...base,
        message: "In every run, the data cannot reach a destination that the policy forbids.",
        fix: null,
      }
    case "violated": {
      const { path } = flow
      return {
        ...base,
        message: `Data can flow from ${sourceOf(path)} to ${textAt(path.at(-1), "its destination")}.`,
        fix: "Remove one step of this path, or add an agent or a tool that makes the data trusted to `unless` in the policy.",
        counterexample: dataPath(path),
      }
    }
    case "unknown": {
      const reasons = flow.undeclared.map(({ of, name: one }): PolicyReason =>
        of === "machine"
          ? notAnalyzed(orderOfMachine(one))
          : of === "toolset"
            ? undeclaredToolset(one, "list a source or a destination of the data")
            : {
                code: "undeclared_function",
                function: one,
                capability: `pass on ${sourceOf(flow.path)}`,
                message: `The policy file does not declare the function "${one}". The function could pass on ${sourceOf(flow.path)}.`,
                fix: `Declare in the policy file what the function may read: functions: { ${one}: { mayRead: [] } }.`,
              },
      )
      const [first] = reasons
      return {
        ...base,
        reasons,
        message: first?.message ?? "The policy could not be decided.",
        fix: first?.fix ?? null,
      }
    }
  }
}

/** Returns a counterexample that contains the steps of a data path. It has no script for a run. */
export const dataPath = (path: readonly FlowStep[]): Counterexample => ({
  script: null,
  records: path.filter(isRecord).length,
  path: path.map((step, index) => ({
    does: `${index === 0 ? "The data is in" : "The data reaches"} ${stepText(step)}.`,
    agent: step.agent,
    record: isRecord(step),
    occurs: [],
  })),
})

/**
 * Returns whether a step adds a journal record. The run adds a record for the response of a model,
 * the result of a tool or the answer of a person.
 */
const isRecord = ({ kind }: FlowStep): boolean =>
  ["result", "text", "arguments", "answer"].includes(kind)

const sourceOf = (path: readonly FlowStep[]): string => textAt(path[0], "its source")

const textAt = (step: FlowStep | undefined, otherwise: string): string =>
  step === undefined ? otherwise : stepText(step)
