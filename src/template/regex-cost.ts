/**
 * In how many ways a backtracking engine may try a pattern from one place of a text of n characters: at most
 * `ways * n ** degree`. An upper bound, read off the pattern's form.
 */
export interface RegexCost {
  readonly ways: number
  readonly degree: number
}

/** The cost of a pattern; a text that says why where it cannot be bounded. */
export function regexCost(source: string): RegexCost | string {
  try {
    return new PatternReader(source).read()
  } catch (error) {
    if (error instanceof Unbounded) return error.message
    throw error
  }
}

class Unbounded extends Error {}

const once: RegexCost = { ways: 1, degree: 0 }

/** Reads a pattern that `RegExp` has accepted, so it only has to find its way, not to check. */
class PatternReader {
  private readonly source: string
  private at = 0

  constructor(source: string) {
    this.source = source
  }

  read(): RegexCost {
    return this.alternatives(true)
  }

  /** `last`: nothing behind this can fail, so what a last repetition matched is never given back. */
  private alternatives(last: boolean): RegexCost {
    let cost = this.sequence(last)
    while (this.take("|")) {
      const next = this.sequence(last)
      cost = { ways: cost.ways + next.ways, degree: Math.max(cost.degree, next.degree) }
    }
    return cost
  }

  private sequence(last: boolean): RegexCost {
    let cost = once
    while (
      this.at < this.source.length &&
      this.source[this.at] !== "|" &&
      this.source[this.at] !== ")"
    ) {
      const atom = this.atom()
      const quantified = this.quantifier(atom)
      const final = last && this.at >= this.source.length
      const step = final && atom.degree === 0 && atom.ways === 1 ? once : quantified
      cost = { ways: cost.ways * step.ways, degree: cost.degree + step.degree }
    }
    return cost
  }

  private atom(): RegexCost {
    if (this.take("\\")) return this.escape()
    if (this.take("[")) return this.characterClass()
    if (this.take("(")) return this.group()
    this.at++
    return once
  }

  private escape(): RegexCost {
    const char = this.source[this.at++] ?? ""
    if (/[1-9k]/.test(char)) throw new Unbounded("it refers back to a group")
    return once
  }

  private characterClass(): RegexCost {
    while (this.at < this.source.length && !this.take("]"))
      this.at += this.source[this.at] === "\\" ? 2 : 1
    return once
  }

  private group(): RegexCost {
    const prefix = /^\?(?:[:=!]|<[=!]|<[^>]*>)/.exec(this.source.slice(this.at, this.at + 80))
    this.at += prefix?.[0].length ?? 0
    const cost = this.alternatives(false)
    this.take(")")
    return cost
  }

  private quantifier(atom: RegexCost): RegexCost {
    const match = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.source.slice(this.at, this.at + 40))
    if (match === null) return atom
    this.at += match[0].length
    const [sign, least = "0", comma = "", most = ""] = match
    const max = sign.startsWith("?")
      ? 1
      : !sign.startsWith("{") || (comma !== "" && most === "")
        ? Number.POSITIVE_INFINITY
        : Number(most || least)
    const min = sign.startsWith("+") ? 1 : Number(least)
    const simple = atom.ways === 1 && atom.degree === 0
    if (max === Number.POSITIVE_INFINITY) {
      if (!simple) throw new Unbounded("it repeats a group that can itself match in several ways")
      return { ways: 1, degree: 1 }
    }
    return { ways: (max - min + 1) * atom.ways ** max, degree: atom.degree * max }
  }

  private take(char: string): boolean {
    if (this.source[this.at] !== char) return false
    this.at++
    return true
  }
}
