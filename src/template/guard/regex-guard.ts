import { regexSteps } from "../../regex/regex-cost.js"
import { TemplateFailed } from "../limits/template-errors.js"
import type { TemplateMeter } from "../limits/template-meter.js"

/** Steps of JavaScript's engine in one unit of work. */
const stepsPerUnit = 250

/**
 * The regular expressions that JSONata uses. JavaScript's engine backtracks and cannot be interrupted, so what might take
 * too long is not started: patterns that repeat an ambiguous group, or refer back, are refused when the template is read;
 * any other pattern is refused for texts that are too long for it. `/\s+/` takes any text, `/\d+x/` some 4,000 characters.
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
      // A match ends the search, so only the part of the text up to its end was tried.
      const match = this.#pattern.exec(text)
      const tried = match === null ? rest : this.#pattern.lastIndex - from + 1
      meter.spend(1 + (worst * (tried / rest)) / stepsPerUnit)
      return match
    }
  }
  // JSONata uses no more of a RegExp than this.
  return RegexGuard as unknown as RegExpConstructor
}
