/**
 * The Python builtin functions that conditions can call. All other functions are rejected at
 * compile time.
 */
export const builtinNames: ReadonlySet<string> = words(
  "abs all any bool dict enumerate filter float int isinstance len list map max min next range reversed round set sorted str sum tuple zip",
)

/** Names of the types that `isinstance` accepts in a condition. */
export const typeNames: ReadonlySet<string> = words("int float str bool list tuple dict set")

/** Names of the functions that the argument `key=` accepts in a condition. */
export const keyFunctions: ReadonlySet<string> = words("abs bool float int len max min str sum")

/**
 * Names of functions that return an iterator. A call is allowed only if the enclosing expression
 * consumes the iterator immediately, as in `sum(map(len, names))`.
 */
export const streamBuiltins: ReadonlySet<string> = words("zip enumerate reversed range map filter")

/**
 * Names of builtin functions that iterate over their first argument immediately. Therefore this
 * argument may be a generator, as in `any(x > 1 for x in values)`.
 */
export const consumers: ReadonlySet<string> = words(
  "any all sum min max sorted list tuple set dict len enumerate zip next reversed",
)

export const builtinKeywords: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["sorted", words("reverse key")],
  ["min", words("default key")],
  ["max", words("default key")],
  ["sum", words("start")],
  ["enumerate", words("start")],
  ["round", words("ndigits")],
  ["int", words("base")],
])

export const methodKeywords: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["split", words("sep maxsplit")],
  ["rsplit", words("sep maxsplit")],
  ["splitlines", words("keepends")],
])

export const methodNames: ReadonlySet<string> = words(
  "lower upper strip lstrip rstrip startswith endswith split rsplit splitlines replace find rfind index rindex count " +
    "isdigit isalpha isnumeric isdecimal isalnum isspace isupper islower istitle title capitalize casefold swapcase join " +
    "partition rpartition removeprefix removesuffix get keys values items " +
    "isascii ljust rjust zfill " +
    "issubset issuperset isdisjoint union intersection difference symmetric_difference is_integer",
)

/**
 * Names of the builtin functions whose first argument is a function, such as `map(len, values)`.
 */
export const mappingBuiltins: ReadonlySet<string> = words("map filter")

/**
 * Names of string methods whose first argument is the width of the result, such as `text.ljust(8)`.
 */
export const widthMethods: ReadonlySet<string> = words("ljust rjust zfill")

/**
 * Methods that iterate over their argument immediately, so that the argument may be a generator.
 */
export const consumingMethods: ReadonlySet<string> = words(
  "join union intersection difference symmetric_difference issubset issuperset isdisjoint",
)

/** Names of Python methods that modify their object. Conditions must not call them. */
export const mutatingMethods: ReadonlySet<string> = words(
  "append extend insert remove pop popitem clear update setdefault sort reverse add discard " +
    "intersection_update difference_update symmetric_difference_update",
)

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "))
}
