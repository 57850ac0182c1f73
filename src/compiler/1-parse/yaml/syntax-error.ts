import type { YAMLParseError } from "yaml"

/** What is wrong with a text that is no YAML, and what to do. Only the first error is explained: the others mostly follow from it. */
export function explainSyntaxError(
  { code, message, pos }: YAMLParseError,
  text: string,
): { readonly says: string; readonly cure: string } {
  const known = Object.hasOwn(problems, code) ? problems[code] : undefined
  if (known !== undefined) return { says: known[0], cure: known[1] }
  const here = JSON.stringify(text.slice(pos[0], pos[0] + 20).split(/[\r\n]/, 1)[0])
  return {
    says: `${message.slice(0, 1).toLowerCase()}${message.slice(1)}, at ${here}`,
    cure: "Check this place: how far lines are indented, and whether texts with special characters stand in quotes.",
  }
}

const quoteIt = 'Put the text in quotes, or begin it on the next line after "|".'

/** By the codes of the parser. */
const problems: Readonly<Record<string, readonly [says: string, cure: string]>> = {
  BAD_INDENT: [
    "a list in [ ] or a map in { } is not closed before this line, or what belongs to it is not indented",
    "Close every bracket that is opened, and indent the lines in between.",
  ],
  MISSING_CHAR: [
    "a quote, a colon or a bracket is missing here",
    "Close every quote and bracket that is opened, and write a field as name: value.",
  ],
  BLOCK_AS_IMPLICIT_KEY: [
    'the value of a field holds ": " or goes on in a line that looks like another field',
    quoteIt,
  ],
  MULTILINE_IMPLICIT_KEY: [
    "the name of a field goes over several lines",
    "Write name: value in one line, and indent what belongs to it.",
  ],
  BAD_SCALAR_START: [
    "a text begins with a character that has a meaning of its own in YAML",
    quoteIt,
  ],
  BAD_DQ_ESCAPE: [
    "a text in double quotes has a backslash that begins no known escape",
    "Write the backslash twice, or use single quotes.",
  ],
  TAB_AS_INDENT: ["a line is indented by a tab", "Indent by spaces."],
  BAD_ALIAS: [
    "an anchor or an alias has no name",
    "Give it a name, such as &defaults or *defaults, or put a text with & or * in quotes.",
  ],
  BLOCK_IN_FLOW: [
    "a list with dashes or a map over several lines stands inside of [ ] or { }",
    "Write it in brackets as well, or take the brackets away.",
  ],
}
