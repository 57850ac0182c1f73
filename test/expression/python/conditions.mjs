// Makes random conditions, each with a state, from a seed: the same ones on every machine. Unlike random-expressions.ts,
// which tries to break the parser, it knows types, so that most conditions come to a value.
// Run as a program it prints them as JSON lines, for write-results.py.
import { pathToFileURL } from "node:url"

const ints =
  "0 1 -1 2 3 5 7 10 -7 100 255 65536 2**31 2**53 2**53+1 -2**63 10**20 True False".split(" ")
const floats =
  "0.0 -0.0 0.5 1.5 2.5 -2.5 0.1 1e16 1e-7 123456.789 1e22 1e308 5e-324 2.675 3.0 -1e100 float('inf') float('nan')".split(
    " ",
  )
const texts = [
  "''",
  "'a'",
  "'b'",
  "'abc'",
  "'Hello World'",
  "'  pad  '",
  "'a,b,,c'",
  "'ß'",
  "'ẞtraße'",
  "'👍é'",
  "'x\\ny\\r\\nz'",
  "'12'",
  "'-3.5'",
  "'1_000'",
  "'0x1f'",
  "'٣'",
  "'²'",
  "'Ⅷ'",
  "'ǆ'",
  "'ΑΣ'",
  "'\\x00'",
  '"it\'s"',
  "'aXbXc'",
  "'true'",
  "'\\t\\x1c '",
  "'ŉ'",
  "'e\\u0301'",
  "'A-b_c'",
  "'nan'",
  "'1e5'",
  "'+7'",
  "'%d'",
  "'\\ufeff'",
  "'\\u2028'",
  "'İ'",
  "'日本'",
  "'ab' * 20",
]
const chars = ["' '", "'a'", "','", "'X'", "'lo'", "''", "'👍'", "'\\n'", "'ab'", "None"]
const specs = [
  ">10",
  "<6",
  "^9",
  "05",
  "08.3f",
  ".2f",
  ",",
  "_",
  "x",
  "b",
  "o",
  "X",
  "e",
  ".0e",
  "g",
  ".3g",
  "G",
  "%",
  ".1%",
  "d",
  "s",
  ".3",
  ".2s",
  "*^9",
  "=+8",
  "_b",
  "+.1e",
  "010,",
  " d",
  "+",
  "-.2F",
  ",.2f",
  "<",
  "0>4",
  "E",
]
const states = [
  {
    s: "draft",
    n: 3,
    f: 0.75,
    xs: [3, 1, 2],
    d: { a: 1, b: 2, c: 3 },
    rows: [
      { id: 1, ok: true, name: "x" },
      { id: 2, ok: false, name: "y" },
    ],
    none: null,
    on: true,
  },
  { s: "", n: 0, f: -0.5, xs: [], d: {}, rows: [], none: null, on: false },
  {
    s: "Ünïcode 👍 text",
    n: -12,
    f: 1e21,
    xs: ["b", "a", "B", "ä"],
    d: { 10: "z", 2: "y", k: [1, { v: null }] },
    rows: [{ id: "7", ok: null, name: "" }],
    none: null,
    on: true,
  },
  {
    s: "8",
    n: 9007199254740991,
    f: 2.5,
    xs: [1.5, 2, true, null],
    d: { a: { b: { c: "deep" } } },
    rows: [{ id: 3.0, ok: 1, name: "Z" }],
    none: null,
    on: false,
  },
  {
    s: "line one\nline two\r\n",
    n: 1000000,
    f: 123456789.123,
    xs: [[1, 2], [3], []],
    d: { "": 0, "a b": "x", é: [] },
    rows: [{ id: -1, ok: true, name: "n" }, { name: "m" }],
    none: null,
    on: true,
  },
]

/** Returns the next number from 0 to `count - 1`. */
function randomNumbers(seed) {
  let state = seed
  return (count) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * count)
  }
}

/** Makes `count` conditions with their states. */
export function conditions(seed, count) {
  const below = randomNumbers(seed)
  const pick = (items) => items[below(items.length)]
  const any = ["int", "float", "str", "bool", "list", "dict", "set", "tuple"]
  // One in thirty has another type than it should have.
  const a = (type, depth, vars) => makers[below(30) === 0 ? pick(any) : type](depth - 1, vars)
  const value = (depth, vars) => a(pick(any), depth, vars)
  const number = (depth, vars) => a(pick(["int", "int", "float"]), depth, vars)
  const iterable = (depth, vars) => a(pick(["list", "list", "tuple", "str", "dict"]), depth, vars)
  const key = () => pick(["len", "str", "int", "bool", "float", "abs", "{'a': 2, 'b': 1}.get"])
  const loop = (depth, vars, element, [open, close]) => {
    const name = pick(["x", "y", "i"])
    const inner = [...vars, name]
    const condition = below(3) === 0 ? ` if ${a("bool", depth, inner)}` : ""
    return `${open}${element(inner)} for ${name} in ${iterable(depth, vars)}${condition}${close}`
  }
  const variable = (vars, otherwise) => (vars.length > 0 && below(2) === 0 ? pick(vars) : otherwise)
  const read = (names) =>
    pick([`session_state['${pick(names)}']`, `session_state.get('${pick(names)}')`])

  const makers = {
    int: (depth, vars) =>
      depth <= 0
        ? variable(vars, pick([pick(ints), pick(ints), read(["n", "n", "on", "f"])]))
        : pick([
            () =>
              `(${a("int", depth, vars)} ${pick(["+", "-", "*", "//", "%", "&", "|", "^"])} ${a("int", depth, vars)})`,
            () =>
              `(${a("int", 0, vars)} ${pick(["<<", ">>", "**"])} ${pick(["0", "1", "2", "5", "-1"])})`,
            () => `len(${a(pick(["str", "list", "dict", "set"]), depth, vars)})`,
            () => `int(${pick([() => a("str", depth, vars), () => a("float", depth, vars)])()})`,
            () => `int(${a("str", 0, vars)}, ${pick(["0", "2", "10", "16", "36"])})`,
            () => `${pick(["abs", "round"])}(${number(depth, vars)})`,
            () => `${pick(["-", "+", "~"])}${a("int", depth, vars)}`,
            () =>
              `(${a("str", depth, vars)}).${pick(["find", "rfind", "count", "index"])}(${pick(chars)}${pick(["", "", ", 1", ", -2", ", 1, -1", ", None, 3"])})`,
            () => `(${a("list", depth, vars)}).${pick(["count", "index"])}(${value(1, vars)})`,
            () => `sum(${a("list", depth, vars)}${pick(["", "", ", 1", ", start=2.5", ", []"])})`,
            () => `${pick(["max", "min"])}(${number(depth, vars)}, ${number(depth, vars)})`,
          ])(),
    float: (depth, vars) =>
      depth <= 0
        ? variable(vars, pick([pick(floats), pick(floats), read(["f", "n"])]))
        : pick([
            () =>
              `(${number(depth, vars)} ${pick(["+", "-", "*", "/", "//", "%"])} ${number(depth, vars)})`,
            () =>
              `(${a("float", 0, vars)} ** ${pick(["2", "0.5", "-1", "3", "0", "float('-inf')", "1.5"])})`,
            () => `float(${a(pick(["str", "int"]), depth, vars)})`,
            () =>
              `round(${number(depth, vars)}, ${pick(["0", "1", "2", "3", "-1", "-2", "None"])})`,
            () => `${pick(["abs", "-", "+"])}(${a("float", depth, vars)})`,
          ])(),
    str: (depth, vars) =>
      depth <= 0
        ? variable(vars, pick([pick(texts), pick(texts), pick(texts), read(["s", "none"])]))
        : pick([
            () =>
              `(${a("str", depth, vars)}).${pick(["lower", "upper", "title", "capitalize", "casefold", "swapcase", "strip", "lstrip", "rstrip"])}()`,
            () =>
              `(${a("str", depth, vars)}).${pick(["strip", "lstrip", "rstrip", "removeprefix", "removesuffix"])}(${pick(chars)})`,
            () =>
              `(${a("str", depth, vars)}).replace(${pick(chars)}, ${pick(chars)}${pick(["", "", ", 1", ", -1", ", 0"])})`,
            () =>
              `(${a("str", depth, vars)}).${pick(["ljust", "rjust"])}(${pick(["0", "3", "10", "-1", "True", "2.0"])}${pick(["", ", '*'", ", '👍'", ", 'ab'", ", 3"])})`,
            () => `(${a("str", depth, vars)}).zfill(${pick(["0", "3", "8", "-1", "'a'"])})`,
            () =>
              `(${a("str", depth, vars)})[${pick(["0", "-1", "1:", ":2", "::-1", "1:-1", "::2", "-3:", "5", "None:None", "10:1:-2"])}]`,
            () => `(${a("str", depth, vars)} + ${a("str", depth, vars)})`,
            () => `(${a("str", depth, vars)} * ${pick(["0", "2", "-1", "True"])})`,
            () => `(${pick(texts)}).join(${iterable(depth, vars)})`,
            () => `str(${value(depth, vars)})`,
            () =>
              `f"{${value(depth, vars).replaceAll(/["\\#!:]/g, "")}${pick(["", "!r", "!s", "!a"])}${pick(["", `:${pick(specs)}`])}}"`,
            () =>
              `'<{${pick(["", ":" + pick(specs), "!r", "!s:>8"])}}>'.format(${value(depth, vars)})`,
            () =>
              `'{1} {0:>4} {n${pick(["", ":" + pick(specs)])}} {{}}'.format(${a("int", 0, vars)}, ${a("str", 0, vars)}, n=${number(1, vars)})`,
            () =>
              `(${a("str", depth, vars)}).${pick(["partition", "rpartition"])}(${pick(chars)})[${pick(["0", "1", "2"])}]`,
            () =>
              `(${a("str", depth, vars)} if ${a("bool", depth, vars)} else ${a("str", depth, vars)})`,
          ])(),
    bool: (depth, vars) =>
      depth <= 0
        ? pick(["True", "False", read(["on"]), `'${pick(["a", "s", "k"])}' in session_state`])
        : pick([
            () =>
              `(${number(depth, vars)} ${pick(["==", "!=", "<", "<=", ">", ">="])} ${number(depth, vars)})`,
            () => `(${number(1, vars)} < ${number(1, vars)} <= ${number(1, vars)})`,
            () =>
              `(${a("str", depth, vars)} ${pick(["==", "!=", "<", ">=", "in", "not in"])} ${a("str", depth, vars)})`,
            () => `(${value(depth, vars)} ${pick(["==", "!=", "in"])} ${iterable(depth, vars)})`,
            () =>
              `(${a("list", depth, vars)} ${pick(["<", "<=", "==", ">"])} ${a("list", depth, vars)})`,
            () =>
              `(${a("set", depth, vars)} ${pick(["<", "<=", "==", ">", ">="])} ${a("set", depth, vars)})`,
            () => `(${a("bool", depth, vars)} ${pick(["and", "or"])} ${value(depth, vars)})`,
            () => `(not ${value(depth, vars)})`,
            () => `(${value(depth, vars)} ${pick(["is", "is not"])} ${pick(["None", "True"])})`,
            () =>
              `isinstance(${value(depth, vars)}, ${pick(["int", "str", "(float, bool)", "list", "dict", "(tuple, set)"])})`,
            () =>
              `(${a("str", depth, vars)}).${pick(["isalpha", "isdigit", "isdecimal", "isnumeric", "isalnum", "isspace", "isupper", "islower", "istitle", "isascii"])}()`,
            () =>
              `(${a("str", depth, vars)}).${pick(["startswith", "endswith"])}(${pick([...chars, "('a', 'b')", "('x', 1)"])}${pick(["", ", 1", ", 0, -1"])})`,
            () => `${pick(["any", "all"])}(${iterable(depth, vars)})`,
            () =>
              `${pick(["any", "all"])}${loop(depth, vars, (inner) => a("bool", depth, inner), "()")}`,
            () =>
              `(${a("set", depth, vars)}).${pick(["issubset", "issuperset", "isdisjoint"])}(${iterable(depth, vars)})`,
            () => `(${a("float", depth, vars)}).is_integer()`,
            () => `bool(${value(depth, vars)})`,
          ])(),
    list: (depth, vars) =>
      depth <= 0
        ? pick([
            read(["xs", "xs", "rows"]),
            "[]",
            "[1, 2, 3]",
            "['b', 'a']",
            "[0.5, 1, True]",
            "[None]",
            "[[1], [0]]",
            "session_state['rows']",
          ])
        : pick([
            () => `[${value(depth, vars)}, ${value(depth, vars)}]`,
            () => loop(depth, vars, (inner) => value(depth, inner), "[]"),
            () =>
              `sorted(${iterable(depth, vars)}${pick(["", "", ", reverse=True", `, key=${key()}`])})`,
            () => `list(${pick(["reversed", "enumerate", "zip", ""])}(${iterable(depth, vars)}))`,
            () => `list(zip(${iterable(depth, vars)}, ${iterable(depth, vars)}))`,
            () =>
              `list(enumerate(${iterable(depth, vars)}, ${pick(["1", "-1", "None", "True", "2**53"])}))`,
            () => `list(map(${key()}, ${iterable(depth, vars)}))`,
            () => `list(filter(${pick([key(), "None"])}, ${iterable(depth, vars)}))`,
            () => `list(range(${pick(["3", "1, 4", "5, 0, -2", "0", "2, 2", "1, 2, 0"])}))`,
            () =>
              `(${a("str", depth, vars)}).${pick(["split", "rsplit"])}(${pick(["", "','", "'X'", "None, 1", "'a', 1", "maxsplit=1", "''"])})`,
            () =>
              `(${a("str", depth, vars)}).splitlines(${pick(["", "True", "0", "keepends=True"])})`,
            () => `(${a("list", depth, vars)} + ${a("list", depth, vars)})`,
            () => `(${a("list", depth, vars)} * ${pick(["0", "2", "-1"])})`,
            () =>
              `(${a("list", depth, vars)})[${pick(["1:", ":2", "::-1", "1:-1", "::2", "-1:", "::0"])}]`,
            () => `list((${a("dict", depth, vars)}).${pick(["keys", "values", "items"])}())`,
          ])(),
    tuple: (depth, vars) =>
      depth <= 0
        ? pick(["()", "(1, 'a')", "(2,)", "(1, 2, 3)"])
        : pick([
            () => `(${value(depth, vars)}, ${value(depth, vars)})`,
            () => `tuple(${iterable(depth, vars)})`,
            () => `(${a("tuple", depth, vars)} + ${a("tuple", depth, vars)})`,
            () => `(${a("str", depth, vars)}).${pick(["partition", "rpartition"])}(${pick(chars)})`,
          ])(),
    dict: (depth, vars) =>
      depth <= 0
        ? pick([
            "session_state",
            read(["d", "d"]),
            "{}",
            "{'a': 1}",
            "{1: 'x', 1.0: 'y'}",
            "session_state['rows'][0]",
          ])
        : pick([
            () =>
              `{${a("str", 0, vars)}: ${value(depth, vars)}, ${a("int", 0, vars)}: ${value(depth, vars)}}`,
            () => `dict(a=${value(depth, vars)}, b=2)`,
            () => `dict(${a("dict", depth, vars)}, a=${value(1, vars)})`,
            () => `dict(zip(${iterable(depth, vars)}, ${iterable(depth, vars)}))`,
            () => loop(depth, vars, (inner) => `${pick(inner)}: ${value(depth, inner)}`, "{}"),
            () => `(${a("dict", depth, vars)}).get(${a("str", 0, vars)}, ${a("dict", 1, vars)})`,
          ])(),
    // Of numbers, because the order of a set of texts differs from one Python process to the next.
    set: (depth, vars) =>
      depth <= 0
        ? pick(["set()", "{1, 2}", "{1, 2, 3, 10**20}", "{0.5, 2}", "{-1, -2}"])
        : pick([
            () => `{${a("int", depth, vars)}, ${number(depth, vars)}}`,
            () => `set(range(${pick(["3", "2, 40, 7", "0"])}))`,
            () =>
              `(${a("set", depth, vars)} ${pick(["|", "&", "-", "^"])} ${a("set", depth, vars)})`,
            () =>
              `(${a("set", depth, vars)}).${pick(["union", "intersection", "difference", "symmetric_difference"])}(${a("set", depth, vars)})`,
          ])(),
  }
  return Array.from({ length: count }, () => ({
    expression: value(2 + below(4), []),
    state: pick(states),
  }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [seed, count] = process.argv.slice(2).map(Number)
  for (const one of conditions(seed, count)) process.stdout.write(`${JSON.stringify(one)}\n`)
}
