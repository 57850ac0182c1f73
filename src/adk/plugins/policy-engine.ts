import type { BaseTool } from "../tools/base-tool.js"

/** What may become of a call: it goes on, it is an error for the model, or a person is asked. */
export const PolicyOutcome = { ALLOW: "ALLOW", DENY: "DENY", CONFIRM: "CONFIRM" } as const

export type PolicyOutcome = (typeof PolicyOutcome)[keyof typeof PolicyOutcome]

export interface PolicyCheckResult {
  readonly outcome: PolicyOutcome | string
  /** For the model when the call is denied, for the person when it has to be approved. */
  readonly reason?: string
}

export interface ToolCallPolicyContext {
  readonly tool: BaseTool
  readonly toolArgs: Record<string, unknown>
}

/** Decides on calls of tools, once on each. One that throws, or answers anything but an outcome, denies. */
export interface BasePolicyEngine {
  evaluate(call: ToolCallPolicyContext): Promise<PolicyCheckResult>
}

/** Allows everything. */
export class InMemoryPolicyEngine implements BasePolicyEngine {
  async evaluate(_call: ToolCallPolicyContext): Promise<PolicyCheckResult> {
    return { outcome: PolicyOutcome.ALLOW }
  }
}
