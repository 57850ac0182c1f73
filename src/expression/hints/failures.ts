/** Texts from an error message and its condition, which can be inserted into the suggested fix. */
interface Parts {
  /** Returns the text that a capturing group of the pattern has matched in the error message. */
  readonly part: (index: number) => string
  /**
   * The state key that the condition reads, in quotes. If the condition does not read exactly one
   * key, the placeholder `'key'`.
   */
  readonly key: string
}

const isText = "The value is a text, not an object. Store an object, for example with outputSchema"
const isList = "The value is a list. Read an item first, such as value[0]['key']"

const patterns: readonly (readonly [pattern: RegExp, hint: (parts: Parts) => string])[] = [
  [
    /^KeyError: ('.*'|".*")$/s,
    ({ part }) => `A missing key fails. Write session_state.get(${part(1)}), or give a default`,
  ],
  [
    /^TypeError: '.*' not supported between instances of .*'NoneType'/s,
    ({ key }) =>
      `A missing key or null is None. Give a default: (session_state.get(${key}) or 0) >= 8`,
  ],
  [
    /^TypeError: '.*' not supported between instances of ('str' and '(?:int|float|bool)'|'(?:int|float|bool)' and 'str')/,
    ({ key }) => `Convert the text to a number: float(session_state[${key}])`,
  ],
  [
    /^TypeError: '.*' not supported between instances of .*'list'/s,
    ({ key }) => `Compare the length, len(session_state[${key}]), or one item`,
  ],
  [
    /^TypeError: '.*' not supported between instances of .*'dict'/s,
    ({ key }) => `Compare one of its keys: session_state[${key}]['score']`,
  ],
  [
    /^TypeError: unsupported operand type\(s\) for .*'NoneType'/s,
    ({ key }) => `A missing key or null is None. Give a default: session_state.get(${key}) or 0`,
  ],
  [
    /^TypeError: (?:can only concatenate str|unsupported operand type\(s\) for .*'str')/s,
    () => "Convert one side: float(value) for a sum, str(value) for a text",
  ],
  [
    /^AttributeError: 'NoneType' object has no attribute '(?:get|keys|values|items)'/,
    ({ key }) =>
      `A missing key or null is None. Write (session_state.get(${key}) or {}).get('score')`,
  ],
  [
    /^AttributeError: 'NoneType' object has no attribute '(.*)'/s,
    ({ part, key }) =>
      `A missing key or null is None. Write (session_state.get(${key}) or '').${part(1)}()`,
  ],
  [/^AttributeError: 'str' object has no attribute '(?:get|keys|values|items)'/, () => isText],
  [/^AttributeError: 'list' object has no attribute '(?:get|keys|values|items)'/, () => isList],
  [
    /^AttributeError: 'list' object has no attribute '(.*)'/s,
    ({ part, key }) =>
      `The value is a list. Ask each item: any(item.${part(1)}() for item in session_state[${key}])`,
  ],
  [
    /^AttributeError: 'dict' object has no attribute '(.*)'/s,
    ({ part, key }) =>
      `The value is a dict. Read one of its keys: session_state[${key}]['text'].${part(1)}()`,
  ],
  [
    /^AttributeError: '(?:int|float|bool)' object has no attribute '(.*)'/s,
    ({ part, key }) => `Convert the value to a text: str(session_state[${key}]).${part(1)}()`,
  ],
  [
    /^TypeError: object of type 'NoneType' has no len\(\)/,
    ({ key }) => `A missing key or null is None. Write len(session_state.get(${key}) or [])`,
  ],
  [
    /^TypeError: object of type '(?:int|float|bool)' has no len\(\)/,
    ({ key }) =>
      `The value is a number. Compare it itself, or len(str(session_state[${key}])) for its digits`,
  ],
  [
    /^TypeError: (?:argument of type )?'NoneType' (?:object )?is not iterable/,
    ({ key }) => `A missing key or null is None. Write session_state.get(${key}) or []`,
  ],
  [
    /^TypeError: (?:argument of type )?'(?:int|float|bool)' (?:object )?is not iterable/,
    ({ key }) => `The value is a number. Compare it with ==, or write str(session_state[${key}])`,
  ],
  [
    /^TypeError: 'in <string>' requires string as left operand, not (\w+)/,
    ({ part }) =>
      part(1) === "NoneType"
        ? "A missing key or null is None. Write (value or '') in text"
        : "Convert the left side to a text: str(value) in text",
  ],
  [
    /^TypeError: 'NoneType' object is not subscriptable/,
    ({ key }) => `A missing key or null is None. Write (session_state.get(${key}) or {}).get('a')`,
  ],
  [
    /^TypeError: '(?:int|float|bool)' object is not subscriptable/,
    () => "The value is a number, without keys or items. Compare it itself",
  ],
  [/^TypeError: list indices must be integers/, () => isList],
  [/^TypeError: string indices must be integers/, () => isText],
  [
    /^TypeError: (int|float)\(\) argument must be .* not 'NoneType'/,
    ({ part, key }) =>
      `A missing key or null is None. Write ${part(1)}(session_state.get(${key}) or 0)`,
  ],
  [
    /^ValueError: invalid literal for int\(\) with base 10: '\s*[+-]?\d*\.\d+\s*'/,
    ({ key }) =>
      `The text is a number with decimal places. Write float(session_state[${key}]) instead of int(…)`,
  ],
  [
    /^ValueError: (?:invalid literal for int|could not convert string to float)/,
    ({ key }) =>
      `The text is not a number. Check it first: session_state[${key}].isdigit() and int(session_state[${key}]) >= 8`,
  ],
  [
    /^ValueError: (max|min)\(\) arg is an empty sequence/,
    ({ part }) => `Give a default: ${part(1)}(values, default=0)`,
  ],
  [/^ValueError: substring not found/, () => "Write 'word' in value, or value.find('word') >= 0"],
  [/^ValueError: .* not in (?:list|tuple)/s, () => "Check first: item in values"],
  [
    /^IndexError: /,
    ({ key }) =>
      `Check the length first: len(session_state[${key}]) > 0 and session_state[${key}][0] == 'a'`,
  ],
  [/^ZeroDivisionError: /, () => "Check the divisor first: n != 0 and total / n > 3"],
  [/^StopIteration/, () => "Give next() a default: next((...), None)"],
  [/^TypeError: unhashable type/, () => "Use a text, a number or a tuple as the key or set item"],
  [
    /^LimitError: /,
    () => "Read less data, or let a tool compute the value and write it to a key of the state",
  ],
]

/**
 * Returns a suggested fix for a condition that failed with this error message. Returns null if
 * there is no suggestion for the message.
 */
export function failureHint(message: string, reads: readonly string[]): string | null {
  const key = reads.length === 1 ? `'${reads[0]}'` : "'key'"
  for (const [pattern, hint] of patterns) {
    const match = pattern.exec(message.slice(0, 400))
    if (match !== null) return hint({ part: (index) => match[index] ?? "", key })
  }
  return null
}
