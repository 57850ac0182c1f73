import { TemplateRefused } from "./template-errors.js"
import { type TemplateLimits, templateLimits } from "./template-limits.js"

/** Texts in quotes and names in backticks hold no path. */
const quotedText = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g

/** Steps of paths in an expression, counted without parsing it; a number with a point counts too. */
export const pathStepsOf = (source: string): number =>
  source.replace(quotedText, "").match(/[.%]/g)?.length ?? 0

/** What the templates of one config, or of one request, may cost to parse together. A character takes about a microsecond. */
export class ParseBudget {
  readonly #limits: TemplateLimits
  #left: number

  constructor(limits: TemplateLimits = templateLimits) {
    this.#limits = limits
    this.#left = limits.parsing
  }

  /** Called with each template before it is parsed. Throws {@link TemplateRefused}. */
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
