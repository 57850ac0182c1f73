/** A test suite in a JUnit report. */
export interface JUnitSuite {
  readonly name: string
  readonly cases: readonly JUnitCase[]
}

/** A test case in a JUnit report. */
export interface JUnitCase {
  readonly name: string
  readonly className: string
  readonly seconds?: number
  readonly properties?: Readonly<Record<string, string>>
  readonly failures?: readonly JUnitProblem[]
  readonly errors?: readonly JUnitProblem[]
  /** Reason why the test case was not executed. Absent if it was executed. */
  readonly skipped?: string
}

export interface JUnitProblem {
  readonly type: string
  readonly message: string
  readonly text?: string
}

/** Creates the XML of a JUnit report. Replaces characters that XML 1.0 does not allow. */
export function junitXml(name: string, suites: readonly JUnitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name, ...countsOf(all) })}>`,
    ...suites.flatMap(({ name: suite, cases }) => [
      `  <testsuite${attributes({ name: suite, ...countsOf(cases) })}>`,
      ...cases.flatMap(caseLines),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n")
}

function countsOf(cases: readonly JUnitCase[]): Readonly<Record<string, string>> {
  const count = (isCounted: (one: JUnitCase) => boolean): string =>
    String(cases.filter(isCounted).length)
  const hasError = ({ errors = [] }: JUnitCase): boolean => errors.length > 0
  return {
    tests: String(cases.length),
    failures: count((one) => !hasError(one) && (one.failures ?? []).length > 0),
    errors: count(hasError),
    skipped: count(({ skipped }) => skipped !== undefined),
    time: seconds(cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0)),
  }
}

function caseLines(one: JUnitCase): readonly string[] {
  const { name, className, properties = {}, failures = [], errors = [], skipped } = one
  const entries = Object.entries(properties)
  const head = attributes({
    name,
    classname: className,
    ...(one.seconds !== undefined && { time: seconds(one.seconds) }),
  })
  const inner = [
    ...(entries.length === 0
      ? []
      : [
          "      <properties>",
          ...entries.map(
            ([property, value]) => `        <property${attributes({ name: property, value })}/>`,
          ),
          "      </properties>",
        ]),
    ...errors.map((problem) => problemLine("error", problem)),
    ...failures.map((problem) => problemLine("failure", problem)),
    ...(skipped === undefined ? [] : [`      <skipped${attributes({ message: skipped })}/>`]),
  ]
  return inner.length === 0
    ? [`    <testcase${head}/>`]
    : [`    <testcase${head}>`, ...inner, "    </testcase>"]
}

const problemLine = (element: string, { type, message, text }: JUnitProblem): string =>
  `      <${element}${attributes({ type, message })}>${escapeXml(text ?? message)}</${element}>`

const seconds = (value: number): string => value.toFixed(3)

const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("")

/** Escapes a text for XML elements and attributes. */
const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(forbidden, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\r", "&#13;")
    .replaceAll("\t", "&#9;")

/**
 * Matches control characters except tabs and line breaks, and other characters that XML 1.0 does
 * not allow.
 */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g
