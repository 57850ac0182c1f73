import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import type { AgentProgramBuilder } from "../agents/base-agent.js"
import { describe } from "../description/program-builder.js"
import { BasePlugin } from "./base-plugin.js"
import type { BasePolicyEngine } from "./policy-engine.js"
import { InMemoryPolicyEngine, PolicyOutcome } from "./policy-engine.js"

interface PolicyInput {
  readonly tool: string
  readonly args: Record<string, unknown>
}

/**
 * A plugin that checks every tool call with a policy engine. The engine is called once for each
 * tool call, before callbacks and approvals. It is not called again after an approval.
 */
export class SecurityPlugin extends BasePlugin {
  readonly #engine: BasePolicyEngine

  constructor({
    policyEngine = new InMemoryPolicyEngine(),
  }: { readonly policyEngine?: BasePolicyEngine } = {}) {
    super("security_plugin")
    this.#engine = policyEngine
  }

  override [describe](program: AgentProgramBuilder): JsonObject {
    // For ALLOW, return undefined: the next policy then decides about the tool call.
    const policy: HostFunction = async (_context, input) => {
      const { tool, args } = input as PolicyInput
      const result = await this.#engine.evaluate({
        tool: program.parts.toolNamed(tool),
        toolArgs: args,
      })
      return result.outcome === PolicyOutcome.ALLOW ? undefined : result
    }
    return {
      type: "SecurityPlugin",
      name: this.name,
      policyEngine: program.service(`plugins.${this.name}.policyEngine`, policy),
    }
  }
}
