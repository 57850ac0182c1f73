import type { ParseError } from "jsonc-parser"

/**
 * A syntax error in a JSON text. `problem` is the end of a sentence about the text, such as
 * `contains a comment`.
 */
export interface SyntaxProblem {
  readonly offset: number
  readonly problem: string
  readonly fix: string
}

/**
 * Returns an explanation of the first syntax error in a JSON text. Later errors are ignored,
 * because they are usually caused by the first one. `openAt` is the offset of the innermost bracket
 * that is not closed, or -1.
 */
export function explainSyntaxError(
  text: string,
  errors: readonly ParseError[],
  openAt: number,
): SyntaxProblem {
  const first = errors.toSorted((one, other) => one.offset - other.offset)[0]
  if (first === undefined)
    return { offset: 0, problem: "is not valid JSON", fix: "Check the text with a JSON formatter." }
  const { offset } = first
  const before = lastVisible(text, offset)
  const here = text[offset]
  const word = /^[\p{L}\p{N}_$.+-]{1,40}/u.exec(text.slice(offset, offset + 40))?.[0]
  if (
    first.error === invalidComment ||
    text.startsWith("//", offset) ||
    text.startsWith("/*", offset)
  ) {
    return {
      offset,
      problem: "contains a comment",
      fix: "Remove the comment: JSON does not support comments.",
    }
  }
  if (here === "'") {
    return {
      offset,
      problem: "uses single quotes",
      fix: 'Write strings and field names in double quotes: "...".',
    }
  }
  if (text[before] === "," && (here === "}" || here === "]")) {
    return {
      offset: before,
      problem: `has a comma before "${here}"`,
      fix: "Remove this trailing comma.",
    }
  }
  if (first.error === unclosedText) {
    return {
      offset,
      problem: "has a string that is not closed",
      fix: 'Add the closing ", and write line breaks in strings as \\n.',
    }
  }
  if (offset >= text.trimEnd().length && openAt >= 0) {
    const [bracket, closing] = text[openAt] === "{" ? ["{", "}"] : ["[", "]"]
    return {
      offset: openAt,
      problem: `ends before this "${bracket}" is closed`,
      fix: `Add the missing "${closing}".`,
    }
  }
  if (/^[^\s{}[\]"]{1,300}\.(?:json|ya?ml)\s*$/i.test(text)) {
    return {
      offset,
      problem: "is the path of a file, not the text of the file",
      fix: 'Read the file first, for example with readFileSync(path, "utf8").',
    }
  }
  if (offset === text.search(/\S/) && !'{["'.includes(here ?? "")) {
    return {
      offset,
      problem: `is not JSON: it starts with ${visible(word, here)}`,
      fix: 'Write a workflow as JSON: {"rootAgentId": ..., "agents": [...]}.',
    }
  }
  const isName =
    first.error === invalidSymbol &&
    word !== undefined &&
    /^\s*:/.test(text.slice(offset + word.length, offset + word.length + 20))
  const problem = problems[isName ? nameExpected : first.error]
  const found = visible(word, here)
  return problem === undefined
    ? {
        offset,
        problem: `is not valid JSON at ${found}`,
        fix: "Check this location with a JSON formatter.",
      }
    : {
        offset,
        problem: first.error >= invalidUnicode ? problem[0] : `${problem[0]}, not ${found}`,
        fix: problem[1],
      }
}

function visible(word: string | undefined, char: string | undefined): string {
  if (char === undefined) return "the end of the text"
  const printable = word ?? (/[!-~\p{L}\p{N}]/u.test(char) ? char : null)
  return printable === null
    ? `the character U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`
    : JSON.stringify(printable)
}

/** Returns the offset of the last character before `offset` that is not white space. */
function lastVisible(text: string, offset: number): number {
  let before = offset - 1
  while (before > 0 && " \t\r\n".includes(text[before] ?? "")) before--
  return before
}

const invalidSymbol = 1
const nameExpected = 3
const invalidComment = 10
const unclosedText = 12
const invalidUnicode = 14

/**
 * Explanations of JSON syntax errors, by error code of the parser. The codes are literal numbers,
 * because the parser's enum does not exist at run time.
 */
const problems: Readonly<Record<number, readonly [problem: string, fix: string]>> = {
  1: [
    "needs a value here",
    'Write an object, a list, a number, true, false, null or a string in double quotes: "...".',
  ],
  2: ["needs a number here", "Write a number such as 3, -0.5 or 1e6."],
  3: ["needs a field name here", 'Write field names in double quotes: "...".'],
  4: [
    "needs a value here",
    'Write an object, a list, a number, true, false, null or a string in double quotes: "...".',
  ],
  5: ["needs a colon after the field name", 'Write a field as "name": value.'],
  6: [
    "needs a comma here",
    "Separate fields and list entries with commas, and close brackets in the reverse order of opening.",
  ],
  7: ['needs a "}" here', "Close every open bracket."],
  8: ['needs a "]" here', "Close every open bracket."],
  9: ["must end here", "Remove the text after this point: a config is one JSON value."],
  11: ["has a comment that is not closed", "Remove the comment: JSON does not support comments."],
  13: ["needs a number here", "Write a number such as 3, -0.5 or 1e6."],
  14: [
    "needs four hexadecimal digits after \\u here",
    "Write characters as they are, or as \\u00e9.",
  ],
  15: [
    "has an unknown escape sequence in a string",
    'Write a backslash as \\\\. The valid escape sequences are \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u.',
  ],
  16: ["has a control character in a string", "Write line breaks as \\n and tabs as \\t."],
}
