const comparisons: Readonly<Record<string, string>> = { "≥": ">=", "≤": "<=", "≠": "!=", "≈": "==" }
const operators: Readonly<Record<string, string>> = {
  "×": "*",
  "·": "*",
  "÷": "/",
  "−": "-",
  "–": "-",
  "—": "-",
  "∧": "and",
  "∨": "or",
  "¬": "not",
  "∈": "in",
  "∉": "not in",
}

/**
 * Returns the error message for a character that is not part of Python's syntax, such as `≥`. The
 * message suggests a replacement if there is one.
 */
export function strangeCharacter(character: string, source: string, position: number): string {
  const next = source[position + 1]
  switch (character) {
    case "!":
      return next === "=" ? '"!=" needs a value' : '"!" is not Python. Did you mean "not"?'
    case "?":
      if (next === "?") return '"??" is not Python. Write "a or b", or .get("key", default)'
      if (next === ".") return '"?." is not Python. Write .get("key"), or (value or {}).get("key")'
      return 'There is no "?" in Python. Write "a if condition else b", or .get("key") for a key that may be missing'
    case "$":
      return next === "{"
        ? '"${...}" is not Python. Write the value without it, or an f-string: f"{value}"'
        : "\"$\" is not Python. Read a key of the state with session_state.get('key')"
    case "`":
      return 'A backtick is not Python. Put the text in \' or ", and values into an f-string: f"{value}"'
  }
  const ascii = comparisons[character] ?? operators[character]
  if (ascii !== undefined) return `"${character}" is not Python. Write "${ascii}"`
  if ("“”„‘’‚«»".includes(character)) return `"${character}" is a typographic quote. Use ' or "`
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")
  if (/\p{Z}|\p{Cf}/u.test(character))
    return `Unexpected character U+${code}, which is invisible. Write a normal space or nothing`
  return `Unexpected character U+${code}`
}
