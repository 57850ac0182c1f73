import { AgentStatechartsError } from "../../errors.js"
import type { CallOptions, ModelRequest, ModelService } from "../../machines/contract/services.js"
import { CallFailedError } from "../../machines/contract/services.js"
import type { Router } from "../common/failover.js"
import { candidatesOf, runWithRouting } from "../common/failover.js"
import { refuse } from "../common/refuse.js"
import type { LlmRequest, LlmResponse } from "../callbacks/llm-request.js"
import { llmRequest, rawAnswer } from "../callbacks/llm-request.js"

/**
 * Base class of models. Extend this class and pass an instance as the `model` of an agent.
 * `generateContentAsync` yields responses, and the agent uses the last complete response.
 */
export abstract class BaseLlm {
  readonly model: string

  constructor({ model }: { readonly model: string }) {
    this.model = model
  }

  abstract generateContentAsync(
    request: LlmRequest,
    stream?: boolean,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void>

  /**
   * Opens a live connection in ADK. Declared only because ADK's model classes implement it. This
   * package never calls it, because live connections are not supported.
   */
  abstract connect(request: LlmRequest): unknown
}

export const isBaseLlm = (value: unknown): value is BaseLlm => value instanceof BaseLlm

/** Returns a model service that sends each request to an instance of `BaseLlm`. */
export const serviceOfLlm = (llm: BaseLlm): ModelService => ({
  async call(request: ModelRequest, { signal }: CallOptions): Promise<unknown> {
    let last: LlmResponse | undefined
    const { generationConfig, outputSchema } = request
    const converted = llmRequest({ ...request, model: llm.model })
    const config = {
      ...converted.config,
      ...generationConfig,
      ...(outputSchema !== undefined && {
        responseJsonSchema: outputSchema,
        responseMimeType: "application/json",
      }),
    }
    for await (const response of llm.generateContentAsync({ ...converted, config }, false, signal))
      if (response.partial !== true) last = response
    if (last === undefined)
      throw new CallFailedError({
        code: "service_answer_malformed",
        message: `the model "${llm.model}" did not return a complete response; yield at least one response without partial: true`,
        retryable: true,
      })
    if (last.errorCode !== undefined || last.errorMessage !== undefined)
      throw new AgentStatechartsError(
        "model_call_failed",
        `the model "${llm.model}" failed: ${[last.errorCode, last.errorMessage].filter((text) => text !== undefined).join(": ")}`,
      )
    return rawAnswer(last)
  },
})

/**
 * A function that returns the key of the model for a request. After a failure, it can return
 * undefined, and the request then fails with the last error.
 */
export type LlmRouter = Router<BaseLlm, LlmRequest>

/**
 * A model that forwards each request to one of several models. The function `router` chooses the
 * model. If the model fails before it responds, `router` is called again. Its third argument then
 * contains the keys of the failed models and the last error.
 *
 * @example
 * const model = new RoutedLlm({ models: { fast, careful }, router: (_models, _request, error) => error === undefined ? "fast" : "careful" })
 */
export class RoutedLlm extends BaseLlm {
  readonly #models: Readonly<Record<string, BaseLlm>>
  readonly #router: LlmRouter

  constructor({
    models,
    router,
    modelName = "routed-llm",
  }: {
    readonly models: Readonly<Record<string, BaseLlm>> | readonly BaseLlm[]
    readonly router: LlmRouter
    readonly modelName?: string
  }) {
    super({ model: modelName })
    this.#models = candidatesOf(models, ({ model }) => model)
    this.#router = router
  }

  override generateContentAsync(
    request: LlmRequest,
    stream?: boolean,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    return runWithRouting(
      `the RoutedLlm "${this.model}"`,
      this.#models,
      (errorContext) => this.#router(this.#models, request, errorContext),
      (model) => model.generateContentAsync(request, stream, abortSignal),
    )
  }

  override connect(): never {
    return refuse("A RoutedLlm has no live connection.", "Use runAsync.")
  }
}

/** A class of models that `LLMRegistry` can create. */
export interface BaseLlmType {
  new (options: { readonly model: string }): BaseLlm
  /** The model names that the class supports. A pattern must match the complete name. */
  readonly supportedModels: readonly (string | RegExp)[]
}

const registered: BaseLlmType[] = []

/**
 * Registry of model classes. A runner looks up a model name in its option `models` first, and then
 * in this registry.
 */
export const LLMRegistry = {
  register(type: BaseLlmType): void {
    if (!registered.includes(type)) registered.unshift(type)
  },
  /** Returns the class that supports this model name. Returns undefined if there is none. */
  resolve(model: string): BaseLlmType | undefined {
    return registered.find(({ supportedModels }) =>
      supportedModels.some((pattern) =>
        typeof pattern === "string"
          ? pattern === model
          : new RegExp(`^(?:${pattern.source})$`, pattern.flags).test(model),
      ),
    )
  },
  /**
   * Creates a model with the class that is registered for this model name. Throws if no class is
   * registered.
   */
  newLlm(model: string): BaseLlm {
    const type =
      LLMRegistry.resolve(model) ??
      refuse(`No class is registered for the model "${model}".`, "Call LLMRegistry.register first.")
    return new type({ model })
  },
}
