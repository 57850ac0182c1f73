import { refuse } from "../common/refuse.js"
import type { Context } from "../context/context.js"
import type { HostFunction } from "../../runtime/host/host-function.js"
import { afterModelHook, beforeModelHook } from "./hooks.js"
import type { LlmRequest, LlmResponse } from "./llm-request.js"

/** A strategy that shortens the conversation before it is sent to the model. */
export interface BaseContextCompactor {
  shouldCompact(request: LlmRequest, context: Context): boolean | Promise<boolean>
  /** Shortens the model request in place by removing or replacing contents. */
  compact(request: LlmRequest, context: Context): void | Promise<void>
  /** Called with each response of the model, for example to read its token count. */
  observe?(response: LlmResponse, context: Context): void
}

export interface TruncatingContextCompactorOptions {
  /**
   * Maximum number of contents (ADK messages) that the model receives. The contents that
   * `preserveLeadingEvents` keeps are not counted.
   */
  readonly threshold: number
  /** Number of contents at the start of the conversation that are always kept. Default: 0. */
  readonly preserveLeadingEvents?: number
}

/**
 * A compactor that removes old contents from model requests with too many contents. The session
 * keeps all contents.
 *
 * @throws AgentStatechartsError `definition_refused` if an option is not a whole number, 0 or
 * greater.
 */
export class TruncatingContextCompactor implements BaseContextCompactor {
  readonly #threshold: number
  readonly #leading: number

  constructor({ threshold, preserveLeadingEvents = 0 }: TruncatingContextCompactorOptions) {
    for (const number of [threshold, preserveLeadingEvents])
      if (!Number.isInteger(number) || number < 0)
        refuse(
          `A TruncatingContextCompactor has the number ${number}.`,
          "Pass whole numbers, 0 or greater.",
        )
    this.#threshold = threshold
    this.#leading = preserveLeadingEvents
  }

  shouldCompact({ contents }: LlmRequest): boolean {
    return contents.length > this.#threshold + this.#leading
  }

  compact({ contents }: LlmRequest): void {
    let end = contents.length - this.#threshold
    // Models reject a tool result if the tool call is missing, so remove the result too.
    while (end < contents.length && contents[end]?.parts?.some((part) => part.functionResponse))
      end++
    contents.splice(this.#leading, end - this.#leading)
  }
}

/**
 * Returns a list with one callback that runs before each model call and applies the first compactor
 * whose `shouldCompact` returns true. The list is empty if there are no compactors.
 */
export const compactorHooks = (
  compactors: readonly BaseContextCompactor[] = [],
): readonly HostFunction[] =>
  compactors.length === 0
    ? []
    : [
        beforeModelHook(async (context, request) => {
          for (const compactor of compactors) {
            if (!(await compactor.shouldCompact(request, context))) continue
            await compactor.compact(request, context)
            return
          }
        }),
      ]

/**
 * Returns a list with one callback that passes each model response to the method `observe` of each
 * compactor. The list is empty if no compactor has this method.
 */
export const compactorObservers = (
  compactors: readonly BaseContextCompactor[] = [],
): readonly HostFunction[] =>
  compactors.some(({ observe }) => observe !== undefined)
    ? [
        afterModelHook((context, response) => {
          for (const compactor of compactors) compactor.observe?.(response, context)
        }),
      ]
    : []
