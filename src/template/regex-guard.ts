import { regexCost } from "./regex-cost.js"
import { TemplateFailed } from "./template-errors.js"
import type { TemplateLimits } from "./template-limits.js"

/**
 * The regular expressions that JSONata uses. JavaScript's engine backtracks and cannot be interrupted, so what might take
 * too long is not started: patterns that repeat an ambiguous group, or refer back, are refused when the template is read;
 * any other pattern is refused for texts that are too long for it. `/\s+/` takes any text, `/\d+x/` some 14,000 characters.
 */
export function regexEngine(limits: TemplateLimits): RegExpConstructor {
  class RegexGuard {
    private readonly pattern: RegExp

    constructor(pattern: RegExp) {
      this.pattern = new RegExp(pattern.source, pattern.flags)
    }

    get lastIndex(): number {
      return this.pattern.lastIndex
    }

    set lastIndex(index: number) {
      this.pattern.lastIndex = index
    }

    exec(text: string): RegExpExecArray | null {
      const cost = regexCost(this.pattern.source)
      if (typeof cost === "string")
        throw new TemplateFailed(`/${this.pattern.source}/ may take too long: ${cost}`)
      const length = text.length + 1
      if (length * cost.ways * length ** cost.degree > limits.regexSteps) {
        throw new TemplateFailed(
          `/${this.pattern.source}/ may take too long on a text of ${text.length} characters; use fewer repetitions or a shorter text`,
        )
      }
      return this.pattern.exec(text)
    }
  }
  // JSONata uses no more of a RegExp than this.
  return RegexGuard as unknown as RegExpConstructor
}
