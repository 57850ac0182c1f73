import { hintTable } from "./hint-table.js"
import type { SyntaxToken } from "./tokenize.js"

/**
 * Suggestions for words that other languages use for Python's operators. Each key is a suggestion,
 * and its value lists the words.
 */
const words = hintTable({
  'Write "and"': "AND And",
  'Write "or"': "OR Or",
  'Write "not"': "NOT Not",
  'Write "in"': "IN In",
  'Write "is"': "IS",
  'Write "a if condition else b"': "IF",
  'Write only the condition, without "then"': "then THEN",
  'Write only the condition, without "end"': "end",
  "Write bool(a) != bool(b)": "xor",
  'Write "=="': "eq equals equal",
  'Write "!="': "ne neq",
  'Write ">"': "gt greater",
  'Write ">="': "gte ge",
  'Write "<"': "lt less",
  'Write "<="': "lte le",
  'Write "1 <= value <= 3"': "between",
  "Write 'word' in value": "contains includes has like LIKE",
  "Write 'word' in value. There are no regular expressions": "matches",
  "Write value.startswith('a')": "starts startswith startsWith",
  "Write value.endswith('z')": "ends endswith endsWith",
  "Write isinstance(value, str)": "typeof instanceof",
  "A condition only reads values. Leave it out": "new",
  'Write only the expression, without "return"': "return",
  "Write 'key' in session_state": "exists",
  "Write only the expression, without names for its parts": "let const var",
})

const statements: ReadonlySet<string> = new Set(
  "if elif while for return assert del pass import from def class with raise try global".split(" "),
)

/**
 * Returns the end of the error message for an unexpected token, with a suggested fix if there is
 * one. `previous` is the token before the unexpected token.
 */
export function tokenHint(
  source: string,
  token: SyntaxToken,
  previous: SyntaxToken | undefined,
): string {
  const word = wordHint(token) ?? (previous === undefined ? null : wordHint(previous))
  if (token.type === "end") return `, but the expression ends${word === null ? "" : `. ${word}`}`
  if (token.type === "operator") {
    const operator = operatorHint(source, token)
    if (operator !== null) return `. ${operator}`
  }
  const text = source.slice(token.start, token.end)
  const found = `, found ${text.length > 40 ? `${text.slice(0, 40)}...` : text}`
  if (word !== null) return `${found}. ${word}`
  if (token.type === "keyword") {
    const keyword = keywordHint(token.text, previous)
    return keyword === null ? found : `${found}. ${keyword}`
  }
  return found
}

function wordHint(token: SyntaxToken): string | null {
  return token.type === "name" ? (words.get(token.text) ?? null) : null
}

function keywordHint(keyword: string, previous: SyntaxToken | undefined): string | null {
  const before = previous?.text ?? ""
  if (keyword === "in" && before === "is") return 'Write "in" without "is"'
  if (keyword === "in" && before === "not") return 'Write "not in" without "is"'
  if (keyword === "not") return 'For "does not equal" write "!="'
  if (keyword === "import" || keyword === "from") return "Conditions have no modules"
  return statements.has(keyword) && before === ""
    ? `A condition is one expression. Write only what decides, without "${keyword}"`
    : null
}

/**
 * Returns the suggested fix for an operator of another language. Reads the source instead of the
 * tokens, because `!==` is split into the tokens `!=` and `=`.
 */
function operatorHint(source: string, { start, end, text }: SyntaxToken): string | null {
  const with1 = source.slice(start - 1, end)
  const with2 = source.slice(start - 2, end)
  const next = source[end] ?? ""
  if (with1 === "&&") return '"&&" is not Python: use "and"'
  if (with1 === "||") return '"||" is not Python: use "or"'
  if (with1 === "++" || with1 === "--") return `"${with1}" is not Python. A condition only reads`
  if (text === "=" && with2 === "!==") return '"!==" is not Python: use "!="'
  if (text === "=" && with1 === "==") return '"===" is not Python: use "=="'
  if ((text === "=" && next === ">") || (text === ">" && with1 === "=>")) {
    return '"=>" is not Python: use ">=". For an arrow function write a comprehension: any(item > 3 for item in values)'
  }
  if ((text === "=" && next === "<") || (text === "<" && with1 === "=<"))
    return '"=<" is not Python: use "<="'
  if (text === "=") return 'A condition cannot assign. Did you mean "=="?'
  if (text === ">" && with1 === "<>") return '"<>" is not Python 3: use "!="'
  if (text === ";") return 'A condition is one expression. Remove the ";"'
  if (text === ":=") return 'A condition cannot assign. Did you mean "=="?'
  if (text === ":") return 'Remove the ":"; a condition is one expression'
  if (text === "/")
    return "There are no regular expressions. Write 'word' in value, value.startswith('a') or value.isdigit()"
  return null
}
