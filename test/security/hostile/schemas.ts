/** A schema of a config and a value from a model whose validation could take very long. */
interface HostileSchema {
  readonly what: string
  readonly schema: Record<string, unknown>
  readonly value: unknown
}

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

const nested = (levels: number, key = "inner"): unknown =>
  times(levels, () => key).reduce<unknown>((inside, name) => ({ [name]: inside }), 1)

const doubling = (keyword: string, levels = 40): Record<string, unknown> => ({
  $ref: "#/$defs/l0",
  $defs: Object.fromEntries(
    times(levels, (level) => [
      `l${level}`,
      level === levels - 1
        ? { type: "number" }
        : { [keyword]: times(2, () => ({ $ref: `#/$defs/l${level + 1}` })) },
    ]),
  ),
})

const objects = times(3_000, (index) => ({ a: { b: index, c: "text" } }))
const items = times(4_000, (index) => ({ a: { b: -index, c: "text" } }))
const longText = "a".repeat(50_000)
const keys = Object.fromEntries(times(3_000, (index) => [`${"a".repeat(40)}${index}`, index]))

/** Patterns that backtrack exponentially or polynomially in JavaScript's regular expression engine. */
const patterns = [
  "^(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "^(a*)*$",
  "^(?:a?){40}a{40}$",
  "(a*)*b",
  "(.*a){25}",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(?:.*,){30}P",
  "a*a*a*a*b",
  "^(.*)+x$",
  "(?:(?:(?:a*)*)*)*b",
  "^(?=(a+)+$)b",
  "^(?!(a|a)*b)c",
  "^[a-z]+(-?[a-z]+)*!$",
  "^(\\w+\\s?)*$",
  "(\\p{L}+)*\\d",
  "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$",
  "a{20000}b",
  "(a{100}){100}b",
  "(a*)\\1b",
  "(?<=a*)b",
]

export const hostileSchemas: readonly HostileSchema[] = [
  ...patterns.flatMap((pattern) => [
    { what: `pattern ${pattern}`, schema: { pattern }, value: `${longText}!` },
    {
      what: `pattern of a property ${pattern}`,
      schema: { patternProperties: { [pattern]: { type: "string" } } },
      value: keys,
    },
  ]),
  { what: "an enum of objects", schema: { items: { enum: objects } }, value: items },
  {
    what: "an enum of lists",
    schema: { items: { enum: times(3_000, (index) => [index, [1]]) } },
    value: times(4_000, (index) => [index, [2]]),
  },
  {
    what: "an enum of texts",
    schema: { items: { enum: times(3_000, (index) => `${longText.slice(0, 99)}${index}`) } },
    value: times(4_000, () => longText.slice(0, 99)),
  },
  {
    what: "a large const",
    schema: { items: { const: objects } },
    value: times(400, () => objects),
  },
  {
    what: "unique objects",
    schema: { uniqueItems: true },
    value: times(20_000, (index) => ({ index, same: "text" })),
  },
  {
    what: "unique long texts",
    schema: { uniqueItems: true },
    value: times(1_000, (index) => `${longText}${index}`),
  },
  {
    what: "unique items, checked 500 times",
    schema: { allOf: times(500, () => ({ uniqueItems: true })) },
    value: times(2_000, (index) => index),
  },
  { what: "references that double in allOf", schema: doubling("allOf"), value: 1 },
  { what: "references that double in anyOf", schema: doubling("anyOf"), value: "x" },
  { what: "references that double in oneOf", schema: doubling("oneOf"), value: 1 },
  { what: "a reference to itself", schema: { $ref: "#" }, value: 1 },
  {
    what: "a cycle of references",
    schema: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
    value: 1,
  },
  {
    what: "a schema that doubles with each level of the value",
    schema: { allOf: times(2, () => ({ properties: { inner: { $ref: "#" } } })) },
    value: nested(60),
  },
  {
    what: "alternatives at each level of the value",
    schema: { anyOf: times(3, () => ({ properties: { inner: { $ref: "#" } }, required: ["x"] })) },
    value: nested(60),
  },
  {
    what: "a condition at each level of the value",
    schema: JSON.parse(
      '{"if": {"properties": {"inner": {"$ref": "#"}}}, "then": {"properties": {"inner": {"$ref": "#"}}}}',
    ) as Record<string, unknown>,
    value: nested(60),
  },
  {
    what: "many alternatives for many items",
    schema: { items: { anyOf: times(1_000, (index) => ({ const: { index } })) } },
    value: items,
  },
  {
    what: "many conditions for many items",
    schema: {
      items: {
        allOf: times(1_000, () => ({ if: { type: "array" }, else: { minProperties: 1 } })),
      },
    },
    value: items,
  },
  {
    what: "many properties for many items",
    schema: {
      items: { properties: Object.fromEntries(times(3_000, (index) => [`k${index}`, true])) },
    },
    value: items,
  },
  {
    what: "many required properties for many items",
    schema: { items: { required: times(3_000, (index) => `k${index}`) } },
    value: items,
  },
  {
    what: "many dependent properties",
    schema: { items: { dependentRequired: { a: times(3_000, (index) => `k${index}`) } } },
    value: items,
  },
  {
    what: "many patterns for many keys",
    schema: {
      patternProperties: Object.fromEntries(times(1_000, (index) => [`^k${index}`, true])),
    },
    value: keys,
  },
  {
    what: "contains in contains",
    schema: { items: { contains: { contains: { const: 2 } } } },
    value: times(200, () => times(200, () => times(20, () => 1))),
  },
  {
    what: "contains with minContains",
    schema: { allOf: times(1_000, (index) => ({ contains: { const: index }, minContains: 2 })) },
    value: times(2_000, (index) => index),
  },
  {
    what: "property names",
    schema: { allOf: times(1_000, () => ({ propertyNames: { minLength: 1_000 } })) },
    value: keys,
  },
  {
    what: "unevaluated properties",
    schema: { anyOf: times(300, () => ({ properties: keys })), unevaluatedProperties: false },
    value: keys,
  },
  {
    what: "unevaluated items",
    schema: { anyOf: times(300, () => ({ items: { type: "number" } })), unevaluatedItems: false },
    value: times(5_000, (index) => index),
  },
  {
    what: "the length of a long text, checked 2,000 times",
    schema: { allOf: times(2_000, () => ({ minLength: 1 })) },
    value: longText.repeat(20),
  },
  {
    what: "formats of long texts",
    schema: {
      allOf: [
        "uri",
        "url",
        "email",
        "hostname",
        "uri-template",
        "json-pointer",
        "regex",
        "ipv6",
        "date-time",
        "duration",
      ].map((format) => ({ format })),
    },
    value: `http://${longText}@`,
  },
  { what: "a URL that backtracks", schema: { format: "url" }, value: `http://${"a-".repeat(100)}` },
  {
    what: "a deeply nested value",
    schema: { properties: { inner: { $ref: "#" } } },
    value: nested(5_000),
  },
  {
    what: "a deeply nested schema",
    schema: nested(3_000, "not") as Record<string, unknown>,
    value: 1,
  },
  {
    what: "a hundred thousand failures",
    schema: { items: { type: "string", minLength: 3 } },
    value: times(100_000, (index) => index),
  },
]
