const tolerance = 1e-6

/** Returns the differences. Everything in `expected` must be in `actual`. */
export function compareValues(expected, actual, at) {
  if (typeof expected !== "object" || expected === null) {
    const isEqual =
      typeof expected === "number" && typeof actual === "number"
        ? Math.abs(expected - actual) <= tolerance
        : expected === actual || (expected === null && actual === undefined)
    return isEqual ? [] : [`${at}: expected ${JSON.stringify(expected)}, got ${short(actual)}`]
  }
  if (typeof actual !== "object" || actual === null)
    return [`${at}: expected ${short(expected)}, got ${short(actual)}`]
  const hasLength = !Array.isArray(expected) || expected.length === actual.length
  return [
    ...(hasLength
      ? []
      : [`${at}: expected ${expected.length} entries, got ${actual.length}: ${short(actual)}`]),
    ...Object.keys(expected).flatMap((key) =>
      compareValues(expected[key], actual[key], `${at}/${key}`),
    ),
  ]
}

/** Each expected problem must be reported. Others are only allowed below its location. */
export function compareProblems(expected, actual) {
  const isWanted = ({ code, at, contains = [] }, problem) =>
    problem.code === code &&
    (at === undefined || problem.at === at) &&
    contains.every((text) => JSON.stringify(problem).includes(text))
  const isAllowed = ({ code, at }, problem) =>
    (problem.code === code && (at === undefined || problem.at === at)) ||
    problem.at?.startsWith(`${at}/`)
  return [
    ...expected.flatMap((wanted) =>
      actual.some((problem) => isWanted(wanted, problem))
        ? []
        : [`no problem ${JSON.stringify(wanted)}`],
    ),
    ...actual.flatMap((problem) =>
      expected.some((wanted) => isAllowed(wanted, problem))
        ? []
        : [`unexpected problem ${JSON.stringify(problem)}`],
    ),
  ]
}

const short = (value) => (JSON.stringify(value) ?? "nothing").slice(0, 300)
