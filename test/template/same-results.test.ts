import jsonata from "jsonata"
import { describe, expect, test } from "vitest"
import { fillTemplate } from "../../src/template/fill/fill-template.js"
import { parseTemplate } from "../../src/template/parse/parse-template.js"
import { plainValue } from "../../src/template/fill/plain-value.js"

const state = {
  name: "Ada Lovelace",
  count: 12.5,
  none: null,
  flags: [true, false],
  tags: ["b", "a", "c", "a"],
  numbers: [3, 1, 2, 1],
  empty: [],
  nested: [[1, [2]], [[3]]],
  order: {
    lines: [
      { id: 1, product: { name: "Hat", tags: ["x", "y"] }, price: 30, quantity: 2 },
      { id: 2, product: { name: "Cloak", tags: [] }, price: 100, quantity: 1 },
      { id: 3, product: { name: "Hat", tags: ["y"] }, price: 20, quantity: 5 },
    ],
  },
}

const expressions = [
  ...["sum", "count", "max", "min", "average"].map((name) => `$${name}(state.numbers)`),
  ...["string", "length", "uppercase", "lowercase", "trim"].map((name) => `$${name}(state.name)`),
  ...["boolean", "not", "exists", "type", "count", "string"].flatMap((name) =>
    ["name", "count", "none", "flags", "empty", "nested", "order", "missing"].map(
      (key) => `$${name}(state.${key})`,
    ),
  ),
  "$string(state.order, true)",
  "$string(1/3)",
  "state.name.$uppercase()",
  "$substring(state.name, 4)",
  "$substring(state.name, -4, 2)",
  "$substringBefore(state.name, ' ')",
  "$substringAfter(state.name, ' ')",
  "$pad(state.name, 20, '-+')",
  "$pad(state.name, -20)",
  "$split(state.name, ' ')",
  "$split(state.name, /[ae]/)",
  "$split(state.name, 'a', 1)",
  "$join(state.tags, '-')",
  "$join(state.tags)",
  "$match(state.name, /[A-Z]([a-z]+)/)",
  "$match(state.name, /[a-z]/, 2).match",
  "$contains(state.name, 'Love')",
  "$contains(state.name, /love/i)",
  "$replace(state.name, 'a', '$')",
  "$replace(state.name, /(\\w+) (\\w+)/, '$2, $1 $$ $0')",
  "$replace(state.name, /[a-z]/, function($m) { $uppercase($m.match) }, 3)",
  "$replace(state.name, /a/, '')",
  "$formatNumber(state.count, '#,##0.00')",
  "$formatBase(255, 16)",
  "$formatInteger(2024, 'w')",
  "$formatInteger(2024, 'I')",
  "$parseInteger('twenty-four', 'w')",
  "$number('12.5')",
  "$floor(state.count) + $ceil(state.count) + $round(state.count, 0) + $abs(-3) + $sqrt(9) + $power(2, 8)",
  "$map(state.numbers, function($v, $i) { $v * $i })",
  "$map(state.tags, $uppercase)",
  "$map(state.tags, $pad(?, 3, '.'))",
  "$filter(state.numbers, function($v, $i, $a) { $v > 1 and $count($a) = 4 })",
  "$single(state.tags, function($v) { $v = 'b' })",
  "$reduce(state.numbers, function($sum, $v) { $sum + $v })",
  "$reduce(state.numbers, function($sum, $v, $i) { $sum + $v * $i }, 10)",
  "$sift(state.order.lines[0], function($v, $k) { $k = 'id' or $v = 30 })",
  "$each(state.order.lines[0], function($v, $k) { $k })",
  "$keys(state.order.lines)",
  "$keys(state)",
  "$lookup(state, 'name')",
  "$lookup(state.order.lines, 'id')",
  "$append(state.numbers, state.tags)",
  "$append(1, [2])",
  "$spread(state.order.lines)",
  "$spread(state.order)",
  "$merge(state.order.lines.product)",
  "$merge(state.order.lines.{product.name: price})",
  "$reverse(state.numbers)",
  "$sort(state.numbers)",
  "$sort(state.tags)",
  "$sort(state.order.lines, function($l, $r) { $l.price < $r.price })",
  "$sort(state.order.lines)",
  "$sort(state.numbers, function($l, $r) { true })",
  "$zip(state.numbers, state.tags)",
  "$zip(state.numbers)",
  "$distinct(state.numbers)",
  "$distinct(state.order.lines.product.name)",
  "$distinct(state.order.lines.product)",
  "$distinct([{'a': 1, 'b': [2]}, {'b': [2], 'a': 1}, {'a': 1}, 1, '1', 1, [1], [1], null, null, ''])",
  "$distinct('one')",
  "$distinct([1])",
  "$distinct(['a', 'a'])",
  "$base64encode(state.name)",
  "$base64decode('QWRh')",
  "$encodeUrlComponent('a b&c/ä')",
  "$encodeUrl('http://h/a b')",
  "$decodeUrlComponent('a%20b')",
  "$decodeUrl('a%20b')",
  "$fromMillis(0)",
  "$fromMillis(1510067557121, '[M01]/[D01]/[Y0001] [h#1]:[m01][P]', '+0100')",
  "$toMillis('2017-11-07T15:12:37.121Z')",
  "$toMillis('12/31/2018', '[M]/[D]/[Y]')",
  "$clone(state.order)",
  "$type($now()) & $type($millis())",
  "$length($now('[Y0001]'))",
  "$assert(true)",
  "$assert(false, 'so')",
  "$error('so')",
  "state.order.lines^(price).id",
  "state.order.lines^(>product.name, <price).id",
  "state.order.lines{product.name: $sum(price)}",
  "state.order.lines{product.name: $}",
  "state.order.lines@$l.product@$p.{'n': $p.name, 'q': $l.quantity}",
  "state.order.lines#$i[price < 50].{'i': $i, 'id': id}",
  "state.order.lines.product.{'n': name, 'price': %.price}",
  "state.order.lines[price < 50][0].id",
  "state.order.lines[-1].id",
  "state.order.lines[[0, 2]].id",
  "state.order.lines.product.tags[0]",
  "state.order.**.name",
  "state.order.*.id",
  "state.*[$type($) = 'string']",
  "state.nested.$",
  "state.nested = [[1, [2]], [[3]]]",
  "state.order.lines[0] = state.order.lines[0] and state.order != state",
  "'a' in state.tags",
  "[1..5][$ % 2 = 0]",
  "state.order ~> |lines|{'total': price * quantity}, ['product', 'id']|",
  "state.name ~> $uppercase ~> $substringBefore(' ')",
  "($f := $uppercase ~> $trim; $f(' a '))",
  "($f := function($n) { $n <= 1 ? 1 : $n * $f($n - 1) }; $f(10))",
  "($f := function($n, $acc) { $n <= 1 ? $acc : $f($n - 1, $acc * $n) }; $f(100, 1))",
  "($g := function($a, $b)<n-n?:n> { $a + $b }; $g(1, 2))",
  "state.missing ?: 'x'",
  "state.none ?? 'x'",
  "state.count > 10 ? 'many' : 'few'",
  "-state.count",
  "-state.name",
  "state.count + 'x'",
  "state.count < 'x'",
  "$uppercase(1)",
  "$sum(state.tags)",
  "{state.count: 1}",
  "{'a': state.missing, 'b': [state.missing, 1]}",
  "state.empty{'a': $}",
  "state.tags[]",
  "state.order.lines[0].product.name[]",
  "[[1, 2], [3]]",
  "[state.numbers, 4]",
]

/** Returns the value or the error code. Other tests check the position and the message of an error. */
async function outcomeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return { value: await work() }
  } catch (error) {
    const { code, cause } = error as {
      readonly code?: unknown
      readonly cause?: { code?: unknown }
    }
    return { failed: cause?.code ?? code }
  }
}

describe("the expressions of templates", () => {
  test.each(expressions)(
    "a template returns the same result as JSONata for %s",
    async (expression) => {
      const own = await outcomeOf(async () => {
        const value: unknown = await jsonata(expression).evaluate({
          state: structuredClone(state),
          context: {},
        })
        return value === undefined ? "nothing" : plainValue(value)
      })
      const filled = await outcomeOf(async () => {
        try {
          return await fillTemplate(parseTemplate(`{{ ${expression} }}`), { state, context: {} })
        } catch (error) {
          if (error instanceof Error && error.message.includes("has no value")) return "nothing"
          throw error
        }
      })
      expect(filled).toEqual(own)
    },
  )
})
