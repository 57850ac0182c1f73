import { builtinNames, methodNames } from "../syntax/language.js"

type Hint = (value: string) => string

const contains: Hint = (value) => `Write 'word' in ${value}`
const index: Hint = (value) => `Write ${value}[0]`
const slice: Hint = (value) => `Write ${value}[0:3]`
const length: Hint = (value) => `Write len(${value})`
const words: Hint = (value) =>
  `There are no regular expressions. Write 'word' in ${value}, or use .startswith(), .endswith(), .isdigit()`
const comprehension: Hint = (value) => `Write a comprehension: [item for item in ${value} if item]`

/**
 * Replacements for methods of JavaScript and other languages, and for Python methods that are not
 * supported.
 */
const hints: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  ["length", length],
  ["len", length],
  ["size", length],
  ["__len__", length],
  ["includes", contains],
  ["contains", contains],
  ["has", contains],
  ["has_key", contains],
  ["hasOwnProperty", contains],
  ["exists", contains],
  ["containsKey", contains],
  ["indexOf", (value) => `Write ${value}.find('word')`],
  ["lastIndexOf", (value) => `Write ${value}.rfind('word')`],
  ["toLowerCase", (value) => `Write ${value}.lower()`],
  ["lowercase", (value) => `Write ${value}.lower()`],
  ["toUpperCase", (value) => `Write ${value}.upper()`],
  ["uppercase", (value) => `Write ${value}.upper()`],
  ["trim", (value) => `Write ${value}.strip()`],
  ["trimStart", (value) => `Write ${value}.lstrip()`],
  ["trimEnd", (value) => `Write ${value}.rstrip()`],
  ["replaceAll", (value) => `Write ${value}.replace('a', 'b')`],
  ["padStart", (value) => `Write ${value}.rjust(8)`],
  ["padEnd", (value) => `Write ${value}.ljust(8)`],
  ["center", (value) => `Write f'{${value}:^8}'`],
  ["toFixed", (value) => `Write round(${value}, 2), or f'{${value}:.2f}' for text`],
  ["toString", (value) => `Write str(${value})`],
  ["decode", (value) => `Write str(${value})`],
  [
    "encode",
    (value) => `A text needs no encoding. Write len(${value}), or compare ${value} itself`,
  ],
  ["equals", (value) => `Write ${value} == 'text'`],
  ["equalsIgnoreCase", (value) => `Write ${value}.lower() == 'text'`],
  ["isEmpty", (value) => `Write not ${value}`],
  ["is_empty", (value) => `Write not ${value}`],
  ["empty", (value) => `Write not ${value}`],
  ["some", (value) => `Write any(item > 3 for item in ${value})`],
  ["every", (value) => `Write all(item > 3 for item in ${value})`],
  ["filter", comprehension],
  ["map", comprehension],
  ["forEach", comprehension],
  ["flatMap", comprehension],
  ["reduce", (value) => `Write sum(${value}), min(${value}) or max(${value})`],
  ["concat", (value) => `Write ${value} + other`],
  ["slice", slice],
  ["substring", slice],
  ["substr", slice],
  ["charAt", index],
  ["at", index],
  ["first", index],
  ["last", (value) => `Write ${value}[-1]`],
  ["match", words],
  ["matches", words],
  ["test", words],
  ["search", words],
  ["fullmatch", words],
  ["copy", (value) => `A condition changes nothing. Write ${value} itself`],
  ["expandtabs", (value) => `Write ${value}.replace('\\t', '    ')`],
  ["translate", (value) => `Write ${value}.replace('a', 'b')`],
  ["isidentifier", (value) => `Write ${value}.isalnum()`],
  ["isprintable", (value) => `Write ${value}.isalnum()`],
  ["entries", (value) => `Write ${value}.items()`],
])

/** Returns the fix for an unsupported method. `value` is the source of its object. */
export function methodHint(name: string, value: string): string {
  const hint = hints.get(name)
  if (hint !== undefined) return hint(value)
  const plain = name.toLowerCase().replaceAll("_", "")
  const similar = [...methodNames].find((method) => method.replaceAll("_", "") === plain)
  if (similar !== undefined) return `Write ${value}.${similar}()`
  if (builtinNames.has(name)) return `Write ${name}(${value})`
  return "docs/conditions.md lists the methods that are allowed"
}

/** Returns the fix for an attribute such as `length` that is a call in Python, otherwise null. */
export function attributeHint(name: string, value: string): string | null {
  return ["length", "size"].includes(name) ? length(value) : null
}
