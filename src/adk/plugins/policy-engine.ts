import type { BaseTool } from "../tools/base-tool.js"

/**
 * Possible decisions about a tool call. ALLOW runs the call, DENY returns an error to the model,
 * and CONFIRM asks a person.
 */
export const PolicyOutcome = { ALLOW: "ALLOW", DENY: "DENY", CONFIRM: "CONFIRM" } as const

export type PolicyOutcome = (typeof PolicyOutcome)[keyof typeof PolicyOutcome]

export interface PolicyCheckResult {
  readonly outcome: PolicyOutcome | string
  /**
   * Reason for the decision. For DENY, the model receives the reason. For CONFIRM, the person
   * receives it.
   */
  readonly reason?: string
}

export interface ToolCallPolicyContext {
  readonly tool: BaseTool
  readonly toolArgs: Record<string, unknown>
}

/**
 * Decides whether tool calls may run. `evaluate` is called once for each call. If it throws or
 * returns an unknown outcome, the call is denied.
 */
export interface BasePolicyEngine {
  evaluate(call: ToolCallPolicyContext): Promise<PolicyCheckResult>
}

/** A policy engine that allows every tool call. */
export class InMemoryPolicyEngine implements BasePolicyEngine {
  async evaluate(_call: ToolCallPolicyContext): Promise<PolicyCheckResult> {
    return { outcome: PolicyOutcome.ALLOW }
  }
}
