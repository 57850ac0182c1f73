/**
 * An instruction of a compiled regular expression. After a `character`, `edge` or `look`
 * instruction has succeeded, execution continues with the next instruction. A `match` instruction
 * ends the search with success.
 */
type Instruction =
  | { readonly type: "character"; readonly is: RegExp }
  /**
   * Continues execution at several instructions in parallel. `next` contains their offsets relative
   * to this instruction, such as `[1, 3]`.
   */
  | { readonly type: "split"; readonly next: readonly number[] }
  | {
      readonly type: "edge"
      readonly holds: (before: string | undefined, behind: string | undefined) => boolean
    }
  | { readonly type: "look"; readonly program: PatternProgram; readonly holds: boolean }
  | { readonly type: "match" }

export type PatternProgram = readonly Instruction[]

/**
 * Maximum number of instructions of a compiled pattern. The limit is needed because repetitions are
 * expanded to copies. For example, `(a{1000}){1000}` would need a million instructions.
 */
const maxInstructions = 10_000

class Unsupported extends Error {}

/**
 * Compiles a pattern that `RegExp` accepts with the flag `u`. Returns null if the pattern uses
 * unsupported features, such as backreferences, or needs too many instructions.
 */
export function readPattern(source: string): PatternProgram | null {
  try {
    return new PatternReader(source).program()
  } catch (error) {
    if (error instanceof Unsupported) return null
    throw error
  }
}

type Piece = readonly Instruction[]

class PatternReader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  program(): PatternProgram {
    return [...this.#alternatives(), { type: "match" }]
  }

  #alternatives(): Piece {
    let whole = this.#sequence()
    while (this.#take("|")) {
      const other = this.#sequence()
      whole = joined(split(1, whole.length + 2), whole, split(other.length + 1), other)
    }
    return whole
  }

  #sequence(): Piece {
    const pieces: Piece[] = []
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? ""))
      pieces.push(this.#quantified(this.#atom()))
    return joined(...pieces)
  }

  #atom(): Piece {
    if (this.#take("(")) return this.#group()
    if (this.#take("^")) return [{ type: "edge", holds: (before) => before === undefined }]
    if (this.#take("$")) return [{ type: "edge", holds: (_, behind) => behind === undefined }]
    if (this.#source[this.#at] === "\\") return this.#escape()
    if (this.#source[this.#at] === "[") return characters(this.#class())
    const character = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0)
    this.#at += character.length
    return characters(character)
  }

  #group(): Piece {
    const look = this.#match(/^\?(=|!)/)
    if (look === null && this.#match(/^\?<[=!]/) !== null) throw new Unsupported()
    if (look === null) this.#match(/^\?(?::|<[^>]*>)/)
    const inner = this.#alternatives()
    if (!this.#take(")")) throw new Unsupported()
    if (look === null) return inner
    return [{ type: "look", program: [...inner, { type: "match" }], holds: look[1] === "=" }]
  }

  #escape(): Piece {
    const word = this.#match(/^\\([bB])/)
    if (word !== null) {
      const wanted = word[1] === "b"
      return [
        { type: "edge", holds: (before, behind) => (isWord(before) !== isWord(behind)) === wanted },
      ]
    }
    const escape = this.#match(
      /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^1-9k])/u,
    )
    if (escape === null) throw new Unsupported()
    return characters(escape[0])
  }

  #class(): string {
    const from = this.#at
    while (this.#at < this.#source.length && this.#source[this.#at] !== "]")
      this.#at += this.#source[this.#at] === "\\" ? 2 : 1
    this.#at++
    return this.#source.slice(from, this.#at)
  }

  #quantified(atom: Piece): Piece {
    const match = this.#match(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/)
    if (match === null) return atom
    const [, sign, fewest = "0", comma = "", most = ""] = match
    const min = sign === "+" ? 1 : sign === undefined ? Number(fewest) : 0
    const endless =
      sign === "*" || sign === "+" || (sign === undefined && comma !== "" && most === "")
    const max = sign === "?" ? 1 : Number(most || fewest)
    const times = endless ? min : max
    if (times * (atom.length + 1) > maxInstructions) throw new Unsupported()
    const pieces: Piece[] = Array.from({ length: min }, () => atom)
    if (endless) return joined(...pieces, repeated(atom))
    // Skipping an optional repetition also skips all following optional repetitions.
    const optional = max - min
    for (let index = 0; index < optional; index++)
      pieces.push(split(1, (optional - index) * (atom.length + 1)), atom)
    return joined(...pieces)
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.#source.slice(this.#at))
    this.#at += match?.[0].length ?? 0
    return match
  }

  #take(character: string): boolean {
    if (this.#source[this.#at] !== character) return false
    this.#at++
    return true
  }
}

const characters = (source: string): Piece => [
  {
    type: "character",
    is: new RegExp(`^${/^[\])}{/]$/.test(source) ? `\\${source}` : source}$`, "u"),
  },
]

const split = (...next: readonly number[]): Piece => [{ type: "split", next }]

const repeated = (atom: Piece): Piece =>
  joined(split(1, atom.length + 2), atom, split(-atom.length - 1))

function joined(...pieces: readonly Piece[]): Piece {
  const whole = pieces.flat()
  if (whole.length > maxInstructions) throw new Unsupported()
  return whole
}

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /^\w$/.test(character)
