import { refuse } from "../common/refuse.js"
import type { LlmRequest } from "./llm-request.js"

/** Shortens the conversation that a model receives. */
export interface BaseContextCompactor {
  shouldCompact(request: LlmRequest): boolean | Promise<boolean>
  /** Removes or replaces contents of the request. */
  compact(request: LlmRequest): void | Promise<void>
}

export interface TruncatingContextCompactorOptions {
  /** Number of contents that the model receives at most, after the leading ones. */
  readonly threshold: number
  /** Number of contents at the start that are always kept. Default: 0. */
  readonly preserveLeadingEvents?: number
}

/**
 * Removes old contents from the conversation that a model receives. The session keeps them.
 *
 * @throws AgentStatechartsError `definition_refused` if a number is not a whole number.
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
    // A tool result without its call is not valid for models.
    while (end < contents.length && contents[end]?.parts?.some((part) => part.functionResponse))
      end++
    contents.splice(this.#leading, end - this.#leading)
  }
}

/** Returns the callback that runs the first compactor whose `shouldCompact` is true. */
export const compactorCallback =
  (compactors: readonly BaseContextCompactor[]) =>
  async (request: LlmRequest): Promise<undefined> => {
    for (const compactor of compactors) {
      if (!(await compactor.shouldCompact(request))) continue
      await compactor.compact(request)
      return undefined
    }
    return undefined
  }
