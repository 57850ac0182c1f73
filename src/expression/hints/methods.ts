import { fillHint, hintTable } from "../syntax/hint-table.js"
import { builtinNames, methodNames } from "../syntax/language.js"

/**
 * Suggestions for unsupported methods, such as methods of JavaScript. Each key is a suggestion in
 * which `$` stands for the source of the object, and each value lists method names.
 */
const hints = hintTable({
  "Write len($)": "length len size __len__",
  "Write 'word' in $": "includes contains has has_key hasOwnProperty exists containsKey",
  "Write $.find('word')": "indexOf",
  "Write $.rfind('word')": "lastIndexOf",
  "Write $.lower()": "toLowerCase lowercase",
  "Write $.upper()": "toUpperCase uppercase",
  "Write $.strip()": "trim",
  "Write $.lstrip()": "trimStart",
  "Write $.rstrip()": "trimEnd",
  "Write $.replace('a', 'b')": "replaceAll translate",
  "Write $.rjust(8)": "padStart",
  "Write $.ljust(8)": "padEnd",
  "Write f'{$:^8}'": "center",
  "Write round($, 2), or f'{$:.2f}' for text": "toFixed",
  "Write str($)": "toString decode",
  "A text needs no encoding. Write len($), or compare $ itself": "encode",
  "Write $ == 'text'": "equals",
  "Write $.lower() == 'text'": "equalsIgnoreCase",
  "Write not $": "isEmpty is_empty empty",
  "Write any(item > 3 for item in $)": "some",
  "Write all(item > 3 for item in $)": "every",
  "Write a comprehension: [item for item in $ if item]": "filter map forEach flatMap",
  "Write sum($), min($) or max($)": "reduce",
  "Write $ + other": "concat",
  "Write $[0:3]": "slice substring substr",
  "Write $[0]": "charAt at first",
  "Write $[-1]": "last",
  "There are no regular expressions. Write 'word' in $, or use .startswith(), .endswith(), .isdigit()":
    "match matches test search fullmatch",
  "A condition changes nothing. Write $ itself": "copy",
  "Write $.replace('\\t', '    ')": "expandtabs",
  "Write $.isalnum()": "isidentifier isprintable",
  "Write $.items()": "entries",
})

/**
 * Returns the suggested fix for an unsupported method. `value` is the source text of the object
 * whose method is called, such as `session_state['name']`.
 */
export function methodHint(name: string, value: string): string {
  const hint = hints.get(name)
  if (hint !== undefined) return fillHint(hint, value)
  const plain = name.toLowerCase().replaceAll("_", "")
  const similar = [...methodNames].find((method) => method.replaceAll("_", "") === plain)
  if (similar !== undefined) return `Write ${value}.${similar}()`
  if (builtinNames.has(name)) return `Write ${name}(${value})`
  return "docs/conditions.md lists the methods that are allowed"
}

/**
 * Returns the suggested fix for an attribute that is a function in Python. For example, suggests
 * `len(x)` for `x.length`. Returns null for all other attributes.
 */
export function attributeHint(name: string, value: string): string | null {
  return ["length", "size"].includes(name) ? `Write len(${value})` : null
}
