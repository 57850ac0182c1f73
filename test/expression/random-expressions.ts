/** A seeded generator of expressions: valid expressions, damaged valid expressions and random tokens. */
export interface RandomExpressions {
  valid(): string
  damaged(): string
  tokens(): string
}

const texts = [
  "''",
  "'a'",
  "'Hello'",
  "' pad '",
  "'a,b,,c'",
  "'ß'",
  "'👍é'",
  "'x\\ny'",
  "'12'",
  "'-3.5'",
  "'٣'",
  "'\\x00'",
  '"it\'s"',
  "r'\\d'",
  "'\\ud800'",
]
const numbers = [
  "0",
  "1",
  "2",
  "3",
  "7",
  "-1",
  "-7",
  "0.5",
  "2.5",
  "-0.0",
  "1e16",
  "10**20",
  "2**64",
  "True",
  "1e400",
  "0xff",
  "1_000",
  "float('nan')",
]
const keys = [
  "s",
  "n",
  "f",
  "l",
  "d",
  "e",
  "t",
  "nn",
  "rows",
  "items",
  "missing",
  "constructor",
  "__proto__",
  "secret",
]
const specs = [
  ">10",
  "05",
  ".2f",
  ",",
  "x",
  "e",
  "g",
  "%",
  "d",
  "s",
  ".3",
  "*^9",
  "_b",
  "+.1e",
  "010,",
]
const methods = [
  "lower()",
  "title()",
  "casefold()",
  "strip()",
  "split()",
  "split(',', 1)",
  "splitlines()",
  "isdigit()",
  "istitle()",
  "find('a')",
  "count('')",
  "replace('a', 'bb')",
  "partition('a')",
  "startswith(('a', 'b'))",
  "join(['a', 'b'])",
  "get('a')",
  "keys()",
  "values()",
  "items()",
  "index(1)",
  "union([1])",
  "issubset([1])",
  "is_integer()",
  "removeprefix('H')",
  "swapcase()",
  "rsplit(None, 1)",
  "isdisjoint({})",
]
const soup = [
  "session_state",
  ".",
  "get",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  ":",
  "==",
  "!=",
  "<",
  ">=",
  "+",
  "-",
  "*",
  "/",
  "//",
  "%",
  "**",
  "and",
  "or",
  "not",
  "in",
  "is",
  "if",
  "else",
  "for",
  "lambda",
  "None",
  "True",
  "x",
  "len",
  "any",
  "'a'",
  '"b"',
  "f'{x}'",
  "1",
  "2.5",
  "0x1f",
  "~",
  "|",
  "&",
  "^",
  "<<",
  ">>",
  "@",
  ":=",
  "=",
  "!",
  "...",
  "await",
  "yield",
  "async",
  'b"x"',
  "3j",
  "__a",
  "#c\n",
  "\\\n",
  "\n",
  "range",
  "zip",
  "1_0",
  "01",
  "\t",
  "'",
  '"',
  'f"{',
  "}'",
  "isinstance",
  "int",
  "keys",
  "append",
  "format",
  "key",
  "?",
  "&&",
  "é",
  "\u00a0",
  "👍",
  "\ud800",
  "\0",
  "``",
  "$",
  "\\",
  "'''",
  "{{",
  "}}",
  "__proto__",
]

export function randomExpressions(seed: number): RandomExpressions {
  const random = mulberry(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!

  const leaf = (): string => {
    switch (below(6)) {
      case 0:
        return pick(texts)
      case 1:
        return pick(numbers)
      case 2:
        return `session_state['${pick(keys)}']`
      case 3:
        return `session_state.get('${pick(keys)}', ${pick(numbers)})`
      case 4:
        return pick([
          "None",
          "[]",
          "{}",
          "()",
          "[1, 2, 3]",
          "{'a': 1}",
          "{1, 2}",
          "('a', 1)",
          "session_state",
          "x",
          "set()",
        ])
      default:
        return pick([...texts, ...numbers])
    }
  }
  const expression = (depth: number): string => {
    if (depth <= 0) return leaf()
    const inner = (): string => expression(depth - 1)
    switch (below(20)) {
      case 0:
        return `(${inner()} ${pick(["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"])} ${inner()})`
      case 1:
        return `(${inner()} ${pick(["==", "!=", "<", "<=", ">", ">=", "in", "not in"])} ${inner()})`
      case 2:
        return `${inner()} ${pick(["and", "or"])} ${inner()}`
      case 3:
        return `${pick(["not ", "-", "+", "~"])}${inner()}`
      case 4:
        return `(${inner()} if ${inner()} else ${inner()})`
      case 5:
        return `${pick(["len", "int", "float", "str", "bool", "abs", "list", "tuple", "set", "dict", "sorted", "sum", "min", "max", "any", "all", "round"])}(${inner()})`
      case 6:
        return `(${inner()}).${pick(methods)}`
      case 7:
        return `(${inner()})[${pick(["0", "-1", ":", "::-1", "1:", "'a'", inner()])}]`
      case 8:
        return `[${inner()}, ${inner()}]`
      case 9:
        return `{${leaf()}: ${inner()}}`
      case 10:
        return `[${inner()} for x in ${inner()}]`
      case 11:
        return `${pick(["any", "all", "sum", "list", "sorted", "set"])}(${inner()} for x in ${inner()} if ${inner()})`
      case 12:
        return `{x: ${inner()} for x in ${pick(["range(5)", "'abc'", inner()])}}`
      case 13:
        return `f"{${inner().replaceAll(/["\\#]/g, "")}${pick(["", "!r", "!s", "="])}:${pick(specs)}}"`
      case 14:
        return `list(${pick(["zip", "enumerate", "reversed"])}(${inner()}))`
      case 15:
        return `isinstance(${inner()}, ${pick(["int", "(str, dict)", "list"])})`
      case 16:
        return `${pick(["min", "max", "sorted"])}(${inner()}, key=${pick(["len", "str", "abs"])})`
      case 17:
        return `round(${inner()}, ${pick(["1", "-1", "None", inner()])})`
      case 18:
        return `next((x for x in ${inner()}), ${inner()})`
      default:
        return `(${inner()}, ${inner()})`
    }
  }
  const damage = (source: string): string => {
    let text = source
    for (let times = 1 + below(3); times > 0; times--) {
      const at = below(text.length + 1)
      const action = below(4)
      if (action === 0) text = text.slice(0, at) + text.slice(at + 1)
      else if (action === 1) text = text.slice(0, at) + pick(soup) + text.slice(at)
      else if (action === 2) text = text.slice(0, at) + pick(soup) + text.slice(at + 1)
      else text = text.slice(at) + text.slice(0, at)
    }
    return text
  }
  return {
    valid: () => expression(1 + below(4)),
    damaged: () => damage(expression(1 + below(3))),
    tokens: () => Array.from({ length: 1 + below(10) }, () => pick(soup)).join(pick(["", " "])),
  }
}

/** Creates a small pseudo-random number generator that returns the same numbers on every machine. */
function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
