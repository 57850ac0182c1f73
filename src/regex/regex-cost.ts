/**
 * An upper bound for the work of a backtracking regex engine, derived from the structure of a
 * pattern. At each start index of a text with n characters, the engine makes at most
 * `paths * n ** degree` attempts. Each attempt takes at most `span` steps.
 */
export interface RegexCost {
  readonly paths: number
  readonly degree: number
  readonly span: number
}

/**
 * Returns the maximum number of steps that a backtracking engine needs to search a text of `length`
 * characters. If the number has no upper bound, returns the reason as a text.
 */
export function regexSteps(source: string, length: number): number | string {
  const cost = regexCost(source)
  if (typeof cost === "string") return cost
  const starts = length + 1
  return starts * cost.paths * starts ** cost.degree * Math.max(1, cost.span)
}

/**
 * Returns an upper bound for the work of matching a pattern with backtracking. If the work has no
 * upper bound, returns the reason as a text, such as "it refers back to a group".
 */
export function regexCost(source: string): RegexCost | string {
  try {
    return new PatternReader(source).read()
  } catch (error) {
    if (error instanceof Unbounded) return error.message
    throw error
  }
}

class Unbounded extends Error {}

const once: RegexCost = { paths: 1, degree: 0, span: 1 }
const nothing: RegexCost = { paths: 1, degree: 0, span: 0 }

/**
 * Parses a pattern and computes the cost of matching it with backtracking. Does not report syntax
 * errors, because `RegExp` has already accepted the pattern.
 */
class PatternReader {
  private readonly source: string
  private offset = 0

  constructor(source: string) {
    this.source = source
  }

  read(): RegexCost {
    return this.alternatives(true)
  }

  /**
   * Parses alternatives separated by `|` and returns their cost. `last` is true if nothing follows
   * them in the pattern. In this case, no later part of the pattern can fail, so the last
   * repetition never backtracks.
   */
  private alternatives(last: boolean): RegexCost {
    let cost = this.sequence(last)
    while (this.take("|")) {
      const next = this.sequence(last)
      cost = {
        paths: cost.paths + next.paths,
        degree: Math.max(cost.degree, next.degree),
        span: Math.max(cost.span, next.span),
      }
    }
    return cost
  }

  private sequence(last: boolean): RegexCost {
    let cost = nothing
    while (
      this.offset < this.source.length &&
      this.source[this.offset] !== "|" &&
      this.source[this.offset] !== ")"
    ) {
      const atom = this.atom()
      const quantified = this.quantifier(atom)
      const final = last && this.offset >= this.source.length
      const step =
        final && atom.degree === 0 && atom.paths === 1
          ? { ...once, span: quantified.least }
          : quantified.cost
      cost = {
        paths: cost.paths * step.paths,
        degree: cost.degree + step.degree,
        span: cost.span + step.span,
      }
    }
    return cost
  }

  private atom(): RegexCost {
    if (this.take("\\")) return this.escape()
    if (this.take("[")) return this.characterClass()
    if (this.take("(")) return this.group()
    this.offset++
    return once
  }

  private escape(): RegexCost {
    const char = this.source[this.offset++] ?? ""
    if (/[1-9k]/.test(char)) throw new Unbounded("it refers back to a group")
    return once
  }

  private characterClass(): RegexCost {
    while (this.offset < this.source.length && !this.take("]"))
      this.offset += this.source[this.offset] === "\\" ? 2 : 1
    return once
  }

  private group(): RegexCost {
    const prefix = /^\?(?:[:=!]|<[=!]|<[^>]*>)/.exec(
      this.source.slice(this.offset, this.offset + 80),
    )
    this.offset += prefix?.[0].length ?? 0
    const cost = this.alternatives(false)
    this.take(")")
    return cost
  }

  /**
   * Parses the quantifier after an atom, such as `{2,5}`, if there is one. `cost` is the cost of
   * all repetitions. `least` is the number of steps for the minimum number of repetitions and one
   * further attempt.
   */
  private quantifier(atom: RegexCost): { readonly cost: RegexCost; readonly least: number } {
    const match = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(
      this.source.slice(this.offset, this.offset + 40),
    )
    if (match === null) return { cost: atom, least: atom.span }
    this.offset += match[0].length
    const [sign, fewest = "0", comma = "", most = ""] = match
    const max = sign.startsWith("?")
      ? 1
      : !sign.startsWith("{") || (comma !== "" && most === "")
        ? Number.POSITIVE_INFINITY
        : Number(most || fewest)
    const min = sign.startsWith("+") ? 1 : Number(fewest)
    const least = atom.span * (min + 1)
    const simple = atom.paths === 1 && atom.degree === 0
    if (max === Number.POSITIVE_INFINITY) {
      if (!simple) throw new Unbounded("it repeats a group that can itself match in several ways")
      return { cost: { paths: 1, degree: 1, span: least }, least }
    }
    const paths = (max - min + 1) * atom.paths ** max
    return { cost: { paths, degree: atom.degree * max, span: atom.span * max }, least }
  }

  private take(char: string): boolean {
    if (this.source[this.offset] !== char) return false
    this.offset++
    return true
  }
}
