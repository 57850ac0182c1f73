import { regexSteps } from "../../regex/regex-cost.js"
import { TemplateFailed } from "../limits/template-errors.js"
import type { TemplateMeter } from "../limits/template-meter.js"

/** Number of regex engine steps that count as one unit of template work. */
const stepsPerUnit = 250

/**
 * Returns a `RegExp` class for JSONata that rejects expensive searches before they start. The class
 * is needed because the JavaScript regex engine backtracks and cannot be interrupted.
 *
 * Patterns with backreferences or nested repetitions are rejected. A search is also rejected if the
 * text is too long for the pattern. For example, `/\s+/` accepts a text of any length, and `/\d+x/`
 * accepts about 4,000 characters.
 */
export function regexEngine(meter: TemplateMeter): RegExpConstructor {
  class RegexGuard {
    readonly #pattern: RegExp

    constructor(pattern: RegExp) {
      this.#pattern = new RegExp(pattern.source, pattern.flags)
    }

    get lastIndex(): number {
      return this.#pattern.lastIndex
    }

    set lastIndex(index: number) {
      this.#pattern.lastIndex = index
    }

    exec(text: string): RegExpExecArray | null {
      const from = this.#pattern.lastIndex
      const rest = Math.max(0, text.length - from) + 1
      const worst = regexSteps(this.#pattern.source, rest)
      if (typeof worst === "string")
        throw new TemplateFailed(`/${this.#pattern.source}/ may take too long: ${worst}`)
      if (worst > meter.limits.regexSteps) {
        throw new TemplateFailed(
          `/${this.#pattern.source}/ may take too long on a text of ${text.length} characters; use fewer repetitions or a shorter text`,
        )
      }
      // The engine has visited the text only up to the match.
      const match = this.#pattern.exec(text)
      const tried = match === null ? rest : this.#pattern.lastIndex - from + 1
      meter.spend(1 + (worst * (tried / rest)) / stepsPerUnit)
      return match
    }
  }
  // RegexGuard has all members of RegExp that JSONata uses.
  return RegexGuard as unknown as RegExpConstructor
}
