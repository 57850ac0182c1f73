import type { Policy } from "../../policies/policy.js"
import type { FlowVerdict } from "../flow/decide-flow.js"
import type { FlowStep } from "../flow/flow-state.js"
import { notAnalyzed, undeclaredToolset } from "./reasons.js"
import type { PolicyReason, PolicyResult } from "./policy-result.js"

/**
 * Returns the result of a `noFlow` policy. If it is violated, the data path is the counterexample.
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
      return { ...base, message: "The data cannot get there in any run.", fix: null }
    case "violated": {
      const { way } = flow
      return {
        ...base,
        message: `Data can get from ${way[0]?.at ?? "its source"} to ${way.at(-1)?.at ?? "its destination"}.`,
        fix: "Remove one step of the way, or name an agent or tool that cleans the data in `unless`.",
        counterexample: {
          script: null,
          records: way.filter(isRecord).length,
          path: way.map(({ at, agent }, index) => ({
            does: index === 0 ? `The data is in ${at}.` : `It gets into ${at}.`,
            agent,
            record: isRecord(way[index] as FlowStep),
            occurs: [],
          })),
        },
      }
    }
    case "unknown": {
      const reasons = flow.undeclared.map(({ of, name: one }): PolicyReason =>
        of === "toolset"
          ? undeclaredToolset(one, "list a source or a destination of the data")
          : {
              code: "undeclared_function",
              function: one,
              capability: `pass on ${sourceOf(flow.way)}`,
              message: `The function "${one}" is not declared. It could pass on ${sourceOf(flow.way)}.`,
              fix: `Declare what it may read in the policy file: functions: { ${one}: { mayRead: [] } }.`,
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

/**
 * Returns whether a step adds a journal record: the response of a model, the result of a tool or
 * the answer of a person.
 */
const isRecord = ({ at }: FlowStep): boolean =>
  ["the result of", "the text of", "the arguments of", "the answer of"].some((each) =>
    at.startsWith(each),
  )

const sourceOf = (way: readonly FlowStep[]): string => way[0]?.at ?? "the data"
