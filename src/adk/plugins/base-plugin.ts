import type { AgentProgramBuilder } from "../agents/base-agent.js"
import { BaseAgent } from "../agents/base-agent.js"
import { refuse } from "../common/refuse.js"
import { applyActions } from "../context/apply-actions.js"
import type { BaseNode } from "../nodes/base-node.js"
import { NodeContext } from "../nodes/node-context.js"
import type { Context } from "../context/context.js"
import type { ToolResponse } from "../callbacks/hooks.js"
import {
  afterModelHook,
  afterToolHook,
  agentHook,
  beforeModelHook,
  beforeToolHook,
  callbackField,
  modelErrorHook,
  toolErrorHook,
} from "../callbacks/hooks.js"
import type { LlmRequest, LlmResponse } from "../callbacks/llm-request.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import { createSuggest } from "../../machines/data/suggest.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import type { Content } from "../events/content.js"
import type { Event } from "../events/event.js"
import { describe } from "../description/program-builder.js"
import type { BaseTool } from "../tools/base-tool.js"

/** The tool call that plugins receive. `beforeToolCallback` can change `toolArgs`. */
export interface PluginToolCall {
  readonly tool: BaseTool
  readonly toolArgs: Record<string, unknown>
  readonly toolContext: Context
}

/** The agent and the context that the callbacks before and after an agent's turn receive. */
export interface PluginAgentCall {
  readonly agent: BaseAgent
  readonly callbackContext: Context
}

/** The node and the context that the callbacks before and after a run of a graph node receive. */
export interface PluginNodeCall {
  readonly node: BaseNode
  readonly nodeContext: NodeContext
}

/** The session and the user message of the invocation for which a plugin's callbacks are called. */
export interface RunInvocation {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
  readonly userContent: Content
}

/**
 * Base class of plugins. The callbacks of a plugin apply to all agents of a run and are called
 * before the callbacks of the agents. Override the callbacks that you need. If a callback returns
 * undefined, the run continues normally.
 */
export abstract class BasePlugin {
  readonly name: string

  constructor(name: string) {
    this.name = name
    refuseMisspelledCallbacks(this)
  }

  /**
   * Called with each message of the user. If it returns a content, the content replaces the
   * message.
   */
  async onUserMessageCallback(_call: {
    readonly invocationContext: RunInvocation
    readonly userMessage: Content
  }): Promise<Content | undefined> {
    return undefined
  }

  /**
   * Called before an invocation. If it returns a content, this content is the only event and no
   * agent runs.
   */
  async beforeRunCallback(_call: {
    readonly invocationContext: RunInvocation
  }): Promise<Content | undefined> {
    return undefined
  }

  /**
   * Called with each event. If it returns an event, the caller and the session receive that event
   * instead.
   */
  async onEventCallback(_call: {
    readonly invocationContext: RunInvocation
    readonly event: Event
  }): Promise<Event | undefined> {
    return undefined
  }

  /** Called after an invocation has ended, and each time it waits for a person. */
  async afterRunCallback(_call: { readonly invocationContext: RunInvocation }): Promise<void> {}

  async beforeAgentCallback(_call: PluginAgentCall): Promise<Content | undefined> {
    return undefined
  }

  async afterAgentCallback(_call: PluginAgentCall): Promise<Content | undefined> {
    return undefined
  }

  /**
   * Called before each run of a graph node. If it returns a value, the value is the output and the
   * node does not run.
   */
  async beforeNodeCallback(_call: PluginNodeCall & { readonly input: unknown }): Promise<unknown> {
    return undefined
  }

  /**
   * Called after each run of a graph node. If it returns a value, the value replaces the output.
   */
  async afterNodeCallback(_call: PluginNodeCall & { readonly output: unknown }): Promise<unknown> {
    return undefined
  }

  async beforeModelCallback(_call: {
    readonly callbackContext: Context
    readonly llmRequest: LlmRequest
  }): Promise<LlmResponse | undefined> {
    return undefined
  }

  async afterModelCallback(_call: {
    readonly callbackContext: Context
    readonly llmResponse: LlmResponse
  }): Promise<LlmResponse | undefined> {
    return undefined
  }

  async onModelErrorCallback(_call: {
    readonly callbackContext: Context
    readonly llmRequest: LlmRequest
    readonly error: Error
  }): Promise<LlmResponse | undefined> {
    return undefined
  }

  async beforeToolCallback(_call: PluginToolCall): Promise<ToolResponse | undefined> {
    return undefined
  }

  async afterToolCallback(
    _call: PluginToolCall & { readonly result: ToolResponse },
  ): Promise<ToolResponse | undefined> {
    return undefined
  }

  async onToolErrorCallback(
    _call: PluginToolCall & { readonly error: Error },
  ): Promise<ToolResponse | undefined> {
    return undefined
  }

  /** @internal */
  [describe](program: AgentProgramBuilder): JsonObject {
    return { type: "Plugin", name: this.name, ...this.callbackFields(program) }
  }

  /** Returns the config fields for the callbacks that a subclass overrides. @internal */
  protected callbackFields(program: AgentProgramBuilder): JsonObject {
    const { parts } = program
    const aroundAgent = (name: "beforeAgentCallback" | "afterAgentCallback"): HostFunction =>
      agentHook((callbackContext) =>
        this[name]({
          agent: asAgent(parts.agentNamed(callbackContext.agentName)),
          callbackContext,
        }),
      )
    const hooks: Readonly<Record<PluginCallback, HostFunction>> = {
      beforeAgentCallback: aroundAgent("beforeAgentCallback"),
      afterAgentCallback: aroundAgent("afterAgentCallback"),
      beforeModelCallback: beforeModelHook((callbackContext, llmRequest) =>
        this.beforeModelCallback({ callbackContext, llmRequest }),
      ),
      afterModelCallback: afterModelHook((callbackContext, llmResponse) =>
        this.afterModelCallback({ callbackContext, llmResponse }),
      ),
      onModelErrorCallback: modelErrorHook((callbackContext, llmRequest, error) =>
        this.onModelErrorCallback({ callbackContext, llmRequest, error }),
      ),
      beforeToolCallback: beforeToolHook(parts, ({ tool, args: toolArgs, context: toolContext }) =>
        this.beforeToolCallback({ tool, toolArgs, toolContext }),
      ),
      afterToolCallback: afterToolHook(
        parts,
        ({ tool, args: toolArgs, context: toolContext, response: result }) =>
          this.afterToolCallback({ tool, toolArgs, toolContext, result }),
      ),
      onToolErrorCallback: toolErrorHook(
        parts,
        ({ tool, args: toolArgs, context: toolContext, error }) =>
          this.onToolErrorCallback({ tool, toolArgs, toolContext, error }),
      ),
    }
    this.#registerNodeCallbacks(program)
    const own = pluginCallbacks.filter((name) => this[name] !== BasePlugin.prototype[name])
    return Object.fromEntries(
      own.flatMap((name) =>
        Object.entries(callbackField(program, `plugins.${this.name}`, name, [hooks[name]])),
      ),
    )
  }

  /**
   * Registers the plugin's callbacks for graph nodes as services. The configs of graphs refer to
   * these services by name.
   */
  #registerNodeCallbacks(program: AgentProgramBuilder): void {
    const { parts, nodeCallbacks } = program
    const register = (
      name: "beforeNodeCallback" | "afterNodeCallback",
      names: string[],
      call: (around: PluginNodeCall, recorded: NodeCallbackCall) => Promise<unknown>,
    ): void => {
      if (this[name] === BasePlugin.prototype[name]) return
      const code: HostFunction = async (host, recorded) => {
        // The machine `nodeRun` creates this input.
        const given = recorded as NodeCallbackCall
        const nodeContext = new NodeContext(host, firstAttempt)
        const value = await call({ node: parts.agentNamed(given.node), nodeContext }, given)
        applyActions(nodeContext.actions, host)
        return value === undefined || value === null ? undefined : { value }
      }
      names.push(program.service(`plugins.${this.name}.${name}`, code))
    }
    register("beforeNodeCallback", nodeCallbacks.beforeNode, (around, { input }) =>
      this.beforeNodeCallback({ ...around, input }),
    )
    register("afterNodeCallback", nodeCallbacks.afterNode, (around, { output }) =>
      this.afterNodeCallback({ ...around, output }),
    )
  }
}

/**
 * Returns the node if it is an agent. Throws for every other node, because agent callbacks are only
 * called for agents.
 */
const asAgent = (node: BaseNode): BaseAgent =>
  node instanceof BaseAgent
    ? node
    : refuse(`"${node.name}" is not an agent.`, "Use the callbacks of nodes.")

/** The input of a plugin callback for a graph node. `node` is the name of the node. */
interface NodeCallbackCall {
  readonly node: string
  readonly input?: unknown
  readonly output?: unknown
}

const firstAttempt = { attempt: 1, answers: {} } as const

const pluginCallbacks = [
  "beforeAgentCallback",
  "afterAgentCallback",
  "beforeModelCallback",
  "afterModelCallback",
  "onModelErrorCallback",
  "beforeToolCallback",
  "afterToolCallback",
  "onToolErrorCallback",
] as const satisfies readonly (keyof BasePlugin)[]

type PluginCallback = (typeof pluginCallbacks)[number]

/**
 * Throws if a method of the plugin has a name that is similar to the name of a callback, such as
 * `beforeToolCallbak`.
 */
function refuseMisspelledCallbacks(plugin: BasePlugin): void {
  const callbacks = Object.getOwnPropertyNames(BasePlugin.prototype).filter((name) =>
    name.endsWith("Callback"),
  )
  for (
    let prototype: unknown = Object.getPrototypeOf(plugin);
    typeof prototype === "object" && prototype !== null && prototype !== BasePlugin.prototype;
    prototype = Object.getPrototypeOf(prototype)
  ) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      if (callbacks.includes(name) || !/^(?:before|after|on)[A-Z_]/.test(name)) continue
      const suggestion = createSuggest()(name, callbacks)
      if (suggestion !== null)
        refuse(
          `The plugin "${plugin.name}" has the method "${name}", which is not a callback.`,
          `Did you mean "${suggestion}"? Rename the method.`,
        )
    }
  }
}
