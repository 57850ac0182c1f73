import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Atom } from "../../policies/atom.js"
import type { OccurrenceKind } from "../../policies/occurrence.js"
import type { Policy } from "../../policies/policy.js"
import type { ProductStep } from "../model-checking/explore.js"
import type { PolicyReason, PolicyResult } from "./policy-result.js"

/**
 * Returns a message that explains the verdict on a policy with the names in the chart, and a
 * suggested fix.
 */
export function explain(
  policy: Policy,
  verdict: PolicyResult["verdict"],
  /**
   * A sentence about the names in the policy that match nothing in the chart. null if the chart
   * contains something that the policy applies to.
   */
  vacuous: string | null,
  path: readonly ProductStep[] | null,
  reason: PolicyReason | null,
  dialect: AgentChart["dialect"],
): Pick<PolicyResult, "message" | "fix"> {
  if (verdict === "unknown")
    return {
      message: reason?.message ?? "The policy could not be decided.",
      fix: reason?.fix ?? null,
    }
  if (verdict === "proved")
    return {
      message:
        vacuous === null
          ? "No run violates the policy."
          : `Nothing in this workflow matches ${triggerText(policy)}. ${vacuous}`.trim(),
      fix: null,
    }
  return { message: `${violationText(policy, path ?? [])}.`, fix: fixOf(policy, dialect) }
}

const triggerText = ({ rule }: Policy): string =>
  "of" in rule
    ? atomsText(rule.of)
    : rule.pattern === "notTogether"
      ? rule.activities.map(({ names }) => names.join(", ")).join(" or ")
      : "the policy"

const atomsText = (atoms: readonly Atom[]): string =>
  atoms.map(({ kind, names }) => `${kind} ${names.join(", ")}`).join(" or ")

/** Returns a sentence about an event that is possible in a run, such as `pay can be called`. */
function canOccur(kind: OccurrenceKind, name: string): string {
  switch (kind) {
    case "call":
      return `${name} can be called`
    case "result":
      return `${name} can return a result`
    case "approval":
      return `${name} can be approved`
    case "rejection":
      return `${name} can be rejected`
    case "start":
      return `${name} can start`
    case "finish":
      return `${name} can finish`
    case "model":
      return `The model ${name} can be called`
    case "write":
      return `${name} can be written`
    case "answer":
      return `A person can answer ${name}`
    case "handoff":
      return `The conversation can go to ${name}`
    case "run":
      return `The run can be ${name}`
  }
}

function violationText({ rule }: Policy, path: readonly ProductStep[]): string {
  // The last event of the path violates the policy.
  const last = path.flatMap(({ occurrences }) => occurrences).at(-1)
  const named = (atoms: readonly Atom[]): string => {
    const atom = atoms.find(({ kind }) => kind === last?.kind) ?? atoms[0]
    if (atom === undefined) return "It can occur"
    return canOccur(atom.kind, atom.kind === last?.kind ? last.name : atom.names.join(", "))
  }
  switch (rule.pattern) {
    case "never":
      return named(rule.of)
    case "onlyAfter":
      return rule.first === "approval"
        ? `${named(rule.of)} without the approval of a person`
        : `${named(rule.of)} before ${atomsText(rule.first)}`
    case "after":
      return `${named(rule.of)} after ${atomsText(rule.after)}`
    case "whenever":
      return `The run can end without ${atomsText(rule.response)} after ${atomsText(rule.of)}`
    case "atMost":
      return `${named(rule.of)} more than ${rule.most} ${rule.most === 1 ? "time" : "times"}`
    case "notTogether":
      return `${rule.activities.map(({ names }) => names.join(", ")).join(" and ")} can be open at the same time`
    case "budget":
      return rule.modelCalls === null
        ? `A run can cost more than ${rule.cost}`
        : `A run can make more than ${rule.modelCalls} model calls`
    case "noFlow":
      return "The data can reach its destination"
  }
}

function fixOf({ rule }: Policy, dialect: AgentChart["dialect"]): string {
  switch (rule.pattern) {
    case "never":
      return "Remove the tool or the agent, or guard it with a condition."
    case "onlyAfter":
      return rule.first === "approval"
        ? confirmations[dialect]
        : `Put ${atomsText(rule.first)} before it in a sequence, so that no run can pass it by.`
    case "after":
      return "Move the agent or tool before it, or end the workflow there."
    case "whenever":
      return "Add the missing step after it, and make sure that no agent ends the run earlier."
    case "atMost":
      return "Lower the maximum of the loop, the handoffs or the cycles that repeat it. Or run it with --policy and --enforce, so that a call beyond the maximum is not executed."
    case "notTogether":
      return "Run them in a sequence, or set maxConcurrency to 1."
    case "budget":
      return "Lower maxModelCalls, or set a budget in the workflow."
    case "noFlow":
      return "Remove a step of the path, or let an agent in `unless` clean the data."
  }
}

/**
 * A suggestion for how to require approval for each call of a tool, by dialect. graph-compose has
 * no setting for this.
 */
const confirmations: Readonly<Record<AgentChart["dialect"], string>> = {
  adk: "Set requireConfirmation (in YAML: require_confirmation) to true on the tool, or let a policy engine confirm its calls.",
  "graph-compose":
    "Write the workflow in the adk dialect and set requireConfirmation on the tool. Or run it with --policy and --enforce, so that a person is asked before the call.",
}
