import { expect, test } from "vitest"
import { fillTemplate } from "../../src/template/fill/fill-template.js"
import { parseTemplate } from "../../src/template/parse/parse-template.js"
import { regexCost } from "../../src/regex/regex-cost.js"

const state = {
  digits: "1".repeat(300),
  text: "a".repeat(50_000),
  spaced: "two  words",
  million: "x".repeat(1_000_000),
}

test.each([
  ["recursion without end", "($f := function($n){ 1 + $f($n + 1) }; $f(0))", "Stack overflow"],
  ["tail recursion without end", "($f := function($n){ $f($n + 1) }; $f(0))", "units of work"],
  [
    "recursion that doubles",
    "($f := function($n){ $n > 0 ? $f($n - 1) & $f($n - 1) : 'x' }; $f(30))",
    "units of work",
  ],
  ["a huge range", "[1..9999999]", "maximum sequence length"],
  ["ranges of ranges", "$count([1..9999].[1..9999])", "units of work"],
  [
    "a text that doubles",
    "$length($reduce([1..60], function($text, $n){ $text & $text }, 'x'))",
    "2000000 characters",
  ],
  [
    "an object that doubles",
    "$string($reduce([1..60], function($node, $n){ {'a': $node, 'b': $node} }, 1))",
    "2000000 characters",
  ],
  [
    "two objects that double, compared",
    "$reduce([1..60], function($o, $n){ {'a': $o, 'b': $o} }, 1) = $reduce([1..60], function($o, $n){ {'a': $o, 'b': $o} }, 1)",
    "2000000 characters",
  ],
  ["padding to a gigabyte", "$pad('x', 1000000000)", "1000000000 characters"],
  [
    "joining to gigabytes",
    "$join($map([1..9999], $string), state.million)",
    "exceeds the limit for templates",
  ],
  [
    "replacing to gigabytes",
    "$replace(state.million, 'x', state.million)",
    "exceeds the limit for templates",
  ],
  [
    "a list of a million characters",
    "$distinct($split(state.million, ''))",
    "more than 10000 values",
  ],
  [
    "a pattern that tries every pair of places",
    "$contains(state.text, /a+b/)",
    "may take too long",
  ],
  ["optional repetitions", "$contains(state.text, /(a?){30}b/)", "may take too long"],
  [
    "a picture that reads digits in every possible way",
    "$toMillis(state.digits, '[Y][M][D][H][m][s]x')",
    "at most 60 characters",
  ],
])("a limit stops %s", async (_, expression, message) => {
  await expect(
    fillTemplate(parseTemplate(`{{ ${expression} }}`), { state, context: {} }),
  ).rejects.toMatchObject({
    code: "template_failed",
    message: expect.stringContaining(message),
  })
})

test.each([
  ["$replace(state.spaced, /\\s+/, ' ')", "two words"],
  ["$contains(state.million, /y|z/)", false],
  ["$match(state.spaced, /^(two|three) +[a-z]+$/).match", "two  words"],
  ["$pad('7', -3, '0')", "007"],
  ["$pad('ab', 5, '-+')", "ab-+-"],
  ["$join(['a', 'b'], ', ')", "a, b"],
  ["$join(['a', 'b'])", "ab"],
  ["$toMillis('1970-01-01T00:00:01Z')", 1000],
  ["$toMillis('1970-01-02', '[Y]-[M]-[D]')", 86_400_000],
])("the limits allow the ordinary expression %s", async (expression, value) => {
  expect(await fillTemplate(parseTemplate(`{{ ${expression} }}`), { state, context: {} })).toEqual(
    value,
  )
})

test.each([
  ["\\s+", { paths: 1, degree: 0, span: 2 }],
  ["\\d+x", { paths: 1, degree: 1, span: 3 }],
  ["a*b*c", { paths: 1, degree: 2, span: 3 }],
  ["[)*+]x?y", { paths: 2, degree: 0, span: 3 }],
  ["(?:ab|cd){2}e", { paths: 4, degree: 0, span: 5 }],
  ["(?<year>\\d{4})-(?=\\d)", { paths: 1, degree: 0, span: 6 }],
  ["a{2,}\\(b", { paths: 1, degree: 1, span: 5 }],
])("the cost of the pattern /%s/ is computed from its form", (source, cost) => {
  expect(regexCost(source)).toEqual(cost)
})

test.each(["(a+)+$", "(a|a)*b", "(.*)\\1", "(?<x>a)\\k<x>"])(
  "the cost of the pattern /%s/ has no bound",
  (source) => {
    expect(regexCost(source)).toMatch(/repeats a group|refers back/)
  },
)
