import type { JsonObject } from "../../machines/data/json-object.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import type { AgentDescription } from "../agents/base-agent.js"
import { describe } from "../description/description.js"
import { BasePlugin } from "./base-plugin.js"
import type { BasePolicyEngine } from "./policy-engine.js"
import { InMemoryPolicyEngine, PolicyOutcome } from "./policy-engine.js"

interface JudgedCall {
  readonly tool: string
  readonly args: Record<string, unknown>
}

/** Asks a policy engine about every call of a tool, once: before anything else, and not again after a person has approved. */
export class SecurityPlugin extends BasePlugin {
  readonly #engine: BasePolicyEngine

  constructor({
    policyEngine = new InMemoryPolicyEngine(),
  }: { readonly policyEngine?: BasePolicyEngine } = {}) {
    super("security_plugin")
    this.#engine = policyEngine
  }

  override [describe](into: AgentDescription): JsonObject {
    // No objection is no answer: so other policies are asked as well.
    const judge: HostFunction = async (_context, input) => {
      const { tool, args } = input as JudgedCall
      const result = await this.#engine.evaluate({
        tool: into.parts.toolNamed(tool),
        toolArgs: args,
      })
      return result.outcome === PolicyOutcome.ALLOW ? undefined : result
    }
    return {
      type: "SecurityPlugin",
      name: this.name,
      policyEngine: into.service(`plugins.${this.name}.policyEngine`, judge),
    }
  }
}
