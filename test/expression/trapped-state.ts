/**
 * A session state with traps for every forbidden access: getters, prototypes and globals. A trap records the access
 * and then behaves as if it did not exist, so that an escape is a recorded hit and not a crash.
 */
export interface Traps {
  readonly state: Readonly<Record<string, unknown>>
  readonly hits: readonly string[]
  /**
   * Runs a function while the built-in prototypes and the globals are also trapped. V8 discards much of
   * its optimized code when `Object.prototype` changes, so many attempts should share one call.
   */
  guard<Result>(work: () => Result): Result
}

/** Globals that an escape from the sandbox would use. */
const trappedGlobals = [
  "process",
  "eval",
  "Function",
  "fetch",
  "require",
  "setTimeout",
  "XMLHttpRequest",
  "WebAssembly",
  "console",
  "crypto",
]
const trappedOnObjects = [
  [
    "Object.prototype",
    Object.prototype,
    [
      "constructor",
      "__proto__",
      "__defineGetter__",
      "__lookupGetter__",
      "isPrototypeOf",
      "toLocaleString",
    ],
  ],
  ["Function.prototype", Function.prototype, ["constructor", "caller", "arguments"]],
  ["String.prototype", String.prototype, ["constructor", "anchor", "link"]],
  ["Number.prototype", Number.prototype, ["constructor"]],
  ["Boolean.prototype", Boolean.prototype, ["constructor"]],
] as const

/** Names that only an escape attempt reads. On Object.prototype, every careless lookup finds them. */
const bait = [
  "__class__",
  "__globals__",
  "__init__",
  "__builtins__",
  "__import__",
  "__dict__",
  "__getattr__",
  "quality",
  "missing",
  "undefined",
  "value2",
]

/** Returns a trapped state. Several states can share one list of hits. */
export function trapState(hits: string[] = []): Traps {
  const trappedPrototype = (name: string, real: object): object =>
    new Proxy(real, {
      get: (target, key, receiver) => (
        hits.push(`${name} get ${String(key)}`),
        Reflect.get(target, key, receiver) as unknown
      ),
      has: (target, key) => (hits.push(`${name} has ${String(key)}`), Reflect.has(target, key)),
      getOwnPropertyDescriptor: (target, key) => (
        hits.push(`${name} own ${String(key)}`),
        Reflect.getOwnPropertyDescriptor(target, key)
      ),
    })
  const objectPrototype = trappedPrototype("object", Object.prototype)
  const arrayPrototype = trappedPrototype("array", Array.prototype)

  const wire = (value: unknown): unknown => {
    if (Array.isArray(value)) return Object.setPrototypeOf(value.map(wire), arrayPrototype)
    if (typeof value !== "object" || value === null) return value
    const wired = Object.create(objectPrototype) as Record<string, unknown>
    for (const [key, inner] of Object.entries(value)) {
      Object.defineProperty(wired, key, {
        value: wire(inner),
        enumerable: true,
        writable: true,
        configurable: true,
      })
    }
    for (const name of ["secret", "toJSON", "__class__", "x"]) {
      const get = (): unknown => (hits.push(`getter ${name}`), "leaked")
      if (!Object.hasOwn(wired, name))
        Object.defineProperty(wired, name, { get, enumerable: true, configurable: true })
    }
    return wired
  }

  const state = wire(plainState()) as Record<string, unknown>
  return { state, hits, guard: (work) => guarded(hits, work) }
}

function plainState(): unknown {
  return JSON.parse(
    JSON.stringify({
      s: "Hello wörld 👍",
      n: 5,
      f: 2.5,
      huge: 1e9,
      long: "a".repeat(20_000),
      l: [3, 1, 2],
      d: { a: 1, b: [1, 2], "10": "x" },
      e: "",
      t: true,
      nn: null,
      rows: [
        { id: 1, score: 2.5, done: true },
        { id: 2, score: 7, done: false },
      ],
      items: [1, "a", null, true],
      many: Array.from({ length: 5000 }, (_, index) => index),
    }).replace(/}$/, ',"__proto__":{"polluted":1},"constructor":"plain"}'),
  )
}

function guarded<Result>(hits: string[], work: () => Result): Result {
  const undo: (() => void)[] = []
  const trap = (owner: object, label: string, name: string): void => {
    const before = Object.getOwnPropertyDescriptor(owner, name)
    if (before !== undefined && before.configurable !== true) return
    Object.defineProperty(owner, name, {
      configurable: true,
      get(this: unknown) {
        hits.push(`${label}.${name}`)
        return before === undefined
          ? undefined
          : before.get === undefined
            ? (before.value as unknown)
            : (before.get.call(this) as unknown)
      },
      set() {
        hits.push(`${label}.${name} written`)
      },
    })
    undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(owner, name)
      else Object.defineProperty(owner, name, before)
    })
  }
  for (const [label, owner, names] of trappedOnObjects)
    for (const name of names) trap(owner, label, name)
  for (const name of bait) trap(Object.prototype, "Object.prototype", name)
  for (const name of trappedGlobals) trap(globalThis, "globalThis", name)
  try {
    return work()
  } finally {
    for (const restore of undo.reverse()) restore()
  }
}
