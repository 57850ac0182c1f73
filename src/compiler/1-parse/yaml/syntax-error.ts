import type { YAMLParseError } from "yaml"

/**
 * Returns an explanation of the first syntax error in a YAML text, with a suggested fix. Later
 * errors are ignored, because they are usually caused by the first one.
 */
export function explainSyntaxError(
  { code, message, pos }: YAMLParseError,
  text: string,
): { readonly problem: string; readonly fix: string } {
  const kind = code === "BAD_INDENT" ? kindOfIndent(message, text[pos[0]]) : code
  const known = Object.hasOwn(problems, kind) ? problems[kind] : undefined
  if (known !== undefined) return { problem: known[0], fix: known[1] }
  const here = JSON.stringify(text.slice(pos[0], pos[0] + 20).split(/[\r\n]/, 1)[0])
  return {
    problem: `${message.slice(0, 1).toLowerCase()}${message.slice(1)}, at ${here}`,
    fix: "Check the indentation of this line, and put strings with special characters in quotes.",
  }
}

/**
 * Returns a specific name for a `BAD_INDENT` error, such as `TAB_AS_INDENT`. The YAML parser uses
 * the code `BAD_INDENT` for several different errors.
 */
const kindOfIndent = (message: string, character: string | undefined): string =>
  character === "\t" ? "TAB_AS_INDENT" : message.startsWith("Flow ") ? "BAD_INDENT" : "UNALIGNED"

const quoteIt = 'Put the string in quotes, or start it on the next line after "|".'

/**
 * Explanations of YAML syntax errors. The keys are error codes of the parser and the names that
 * `kindOfIndent` returns.
 */
const problems: Readonly<Record<string, readonly [problem: string, fix: string]>> = {
  BAD_INDENT: [
    "a list in [ ] or a map in { } is not closed before this line, or its content is not indented",
    "Close every open bracket, and indent the lines in between.",
  ],
  UNALIGNED: [
    "this line is not indented like the lines that belong to it",
    'Indent all fields of a map and all items of a list by the same number of spaces, and the text after "|" deeper than its field.',
  ],
  MISSING_CHAR: [
    "a quote, a colon or a bracket is missing here",
    "Close every open quote and bracket, and write a field as name: value.",
  ],
  BLOCK_AS_IMPLICIT_KEY: [
    'the value of a field contains ": " or continues on a line that looks like another field',
    `${quoteIt} If the next line is a field of its own, do not indent it deeper than this field.`,
  ],
  MULTILINE_IMPLICIT_KEY: [
    "the name of a field spans several lines",
    "Write name: value on one line, and indent the nested lines.",
  ],
  BAD_SCALAR_START: [
    "a string starts with a character that has a special meaning in YAML",
    quoteIt,
  ],
  BAD_DQ_ESCAPE: [
    "a string in double quotes has an unknown escape sequence",
    "Write the backslash twice, or use single quotes.",
  ],
  TAB_AS_INDENT: ["a line is indented with a tab", "Indent with spaces."],
  BAD_ALIAS: [
    "an anchor or an alias has no name",
    "Add a name, such as &defaults or *defaults, or put a string with & or * in quotes.",
  ],
  BLOCK_IN_FLOW: [
    "a list with dashes or a map over several lines is inside [ ] or { }",
    "Write it in brackets as well, or remove the outer brackets.",
  ],
}
