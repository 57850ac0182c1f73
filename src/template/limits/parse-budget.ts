import { TemplateRefused } from "./template-errors.js"
import { type TemplateLimits, templateLimits } from "./template-limits.js"

/** Matches quoted strings and names in backticks. Dots inside them do not separate path steps. */
const quotedText = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g

/**
 * Estimates the number of path steps in a JSONata expression without parsing it. The estimate may
 * be too high, because decimal points are counted too.
 */
export const pathStepsOf = (source: string): number =>
  source.replace(quotedText, "").match(/[.%]/g)?.length ?? 0

/**
 * A budget that limits the total work of parsing all templates of one config or of one request. One
 * unit of work is one character, which takes about one microsecond.
 */
export class ParseBudget {
  readonly #limits: TemplateLimits
  #left: number

  constructor(limits: TemplateLimits = templateLimits) {
    this.#limits = limits
    this.#left = limits.parsing
  }

  /**
   * Subtracts the work of parsing a template from the budget. Must be called before the template is
   * parsed.
   *
   * @throws TemplateRefused if the budget is exceeded.
   */
  spend(text: string): void {
    if (!text.includes("{{")) return
    const { parsing, pathSteps } = this.#limits
    const steps = Math.min(pathSteps, pathStepsOf(text))
    this.#left -= text.length + (steps * steps) / 4
    if (this.#left < 0)
      throw new TemplateRefused(
        0,
        `this template and the ones before it exceed the parsing limit of ${parsing} units. Use fewer or shorter templates.`,
      )
  }
}
