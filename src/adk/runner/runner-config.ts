import type { RunnerOptions } from "../../runtime/runner/runner-options.js"
import type { Content } from "../events/content.js"
import type { BaseArtifactService } from "../memory/artifact-service.js"
import type { BaseMemoryService } from "../memory/memory-service.js"
import type { BaseNode } from "../nodes/base-node.js"
import type { BasePlugin } from "../plugins/base-plugin.js"
import type { App, ResumabilityConfig } from "./app.js"
import type { BaseSessionService } from "./base-session-service.js"
import type { ModelServices } from "./program-chart.js"
import type { RunConfig } from "./run-config.js"

export interface RunnerConfig extends Omit<RunnerOptions, "services"> {
  /** The app to run. It replaces the options `agent`, `appName` and `plugins`. */
  readonly app?: App
  /** The root of the agent tree: an agent, a Workflow, or another node. Required without `app`. */
  readonly agent?: BaseNode
  readonly appName?: string
  readonly plugins?: readonly BasePlugin[]
  readonly sessionService: BaseSessionService
  /**
   * Service that stores sessions and searches their messages. `searchMemory` and the tool
   * `LOAD_MEMORY` use it.
   */
  readonly memoryService?: BaseMemoryService
  /** Service that stores artifacts. Default: artifacts are stored with the session. */
  readonly artifactService?: BaseArtifactService
  /**
   * Accepted for compatibility with ADK. This option has no effect, because every run can be
   * resumed.
   */
  readonly resumabilityConfig?: Partial<ResumabilityConfig>
  /** Model services by model name. ADK does not have this option. */
  readonly models?: ModelServices
  /** Name of the model for agents that have no model and inherit none from a parent. */
  readonly defaultModel?: string
}

export interface RunAsyncRequest {
  readonly userId: string
  readonly sessionId: string
  /**
   * The user message, or function responses that answer pending calls of an earlier invocation.
   * Optional only if `invocationId` is set.
   */
  readonly newMessage?: Content
  /**
   * Id of an invocation that another process has started. The invocation is resumed from the
   * runner's journal, and only its new events are returned. `newMessage` then answers its
   * questions.
   */
  readonly invocationId?: string
  /** State changes that are applied before the invocation starts. */
  readonly stateDelta?: Readonly<Record<string, unknown>>
  /** Signal that cancels the invocation when it aborts. */
  readonly abortSignal?: AbortSignal
  readonly runConfig?: RunConfig
}
