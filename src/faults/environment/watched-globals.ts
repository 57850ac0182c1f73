import { AsyncLocalStorage } from "node:async_hooks"
import nodeCrypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

/** A source of values that makes code nondeterministic. */
export type UnsteadySource = "clock" | "random"

/**
 * The simulated clock and random numbers of one call of a host function, or of one step in it. The
 * values depend only on `seed`, so a function that runs again reads the same values.
 */
export interface CodeContext {
  readonly seed: string
  /**
   * Called for each read of the clock or of a random number. null if reads are allowed, because the
   * code is a step of a host function.
   */
  readonly onRead: ((source: UnsteadySource, name: string) => void) | null
  /**
   * Whether the values are changed to detect nondeterminism. If true, the clock is one day ahead,
   * and each random number r is replaced by 1 - r.
   */
  readonly isShifted: boolean
}

/** Start of the simulated time that host functions read, in milliseconds since the epoch. */
const startTime = Date.UTC(2026, 0, 1, 9)
const dayMs = 86_400_000

interface CodeState extends CodeContext {
  /**
   * Number of times that the code has read the clock. Each read returns a time 1 ms later, so that
   * code that polls the clock ends.
   */
  reads: number
  random: () => number
}

const contexts = new AsyncLocalStorage<CodeState>()

/**
 * Runs code. During this time, its reads of the clock and of random numbers return the simulated
 * values of `context`.
 */
export function runWatched<Value>(context: CodeContext, code: () => Value): Value {
  return contexts.run({ ...context, reads: 0, random: randomFrom(context.seed) }, code)
}

/**
 * Returns a generator of random numbers from 0 to 1. Uses mulberry32 with an FNV-1a hash of the
 * seed.
 */
function randomFrom(seed: string): () => number {
  let state = 2_166_136_261
  for (let index = 0; index < seed.length; index++)
    state = Math.imul(state ^ seed.charCodeAt(index), 16_777_619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function readTime(state: CodeState, name: string): number {
  state.onRead?.("clock", name)
  return startTime + (state.isShifted ? dayMs : 0) + state.reads++
}

function readRandom(state: CodeState, name: string): number {
  state.onRead?.("random", name)
  const number = state.random()
  // Math.random never returns 1, so do not replace 0 by 1.
  return state.isShifted && number > 0 ? 1 - number : number
}

function fill(state: CodeState, array: ArrayBufferView, name: string): void {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Math.floor(readRandom(state, name) * 256)
}

function uuid(state: CodeState, name: string): ReturnType<Crypto["randomUUID"]> {
  const bytes = new Uint8Array(16)
  fill(state, bytes, name)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/**
 * Replaces the global functions that read the clock and random numbers, such as `Date.now`. They
 * return simulated values only inside `runWatched`. Returns a function that restores the originals.
 */
export function watchGlobals(): () => void {
  const restores = [
    replace(globalThis, "Date", watchedDate(Date)),
    replace(Math, "random", (own: () => number) => () => {
      const state = contexts.getStore()
      return state === undefined ? own() : readRandom(state, "Math.random")
    }),
    replace(performance, "now", (own: () => number) => () => {
      const state = contexts.getStore()
      return state === undefined
        ? own.call(performance)
        : readTime(state, "performance.now") - startTime
    }),
    ...[globalThis.crypto, nodeCrypto].map((target) =>
      replace(target, "randomUUID", (own: Crypto["randomUUID"]) => (...options: []) => {
        const state = contexts.getStore()
        return state === undefined ? own.call(target, ...options) : uuid(state, "crypto.randomUUID")
      }),
    ),
    replace(globalThis.crypto, "getRandomValues", (own: typeof crypto.getRandomValues) => {
      const watched = <View extends ArrayBufferView>(array: View): View => {
        const state = contexts.getStore()
        if (state === undefined) own.call(globalThis.crypto, array as never)
        else fill(state, array, "crypto.getRandomValues")
        return array
      }
      return watched
    }),
  ]
  // Modules that import functions of node:crypto by name then use the watched functions, too.
  syncBuiltinESMExports()
  return () => {
    for (const restore of restores) restore()
    syncBuiltinESMExports()
  }
}

const watchedDate = (Own: DateConstructor): ((own: DateConstructor) => DateConstructor) => {
  const now = (): number => {
    const state = contexts.getStore()
    return state === undefined ? Own.now() : readTime(state, "Date.now")
  }
  const timeless = (): number | null => {
    const state = contexts.getStore()
    return state === undefined ? null : readTime(state, "Date")
  }
  return () =>
    new Proxy(Own, {
      construct(target, parameters: [], newTarget) {
        const time = parameters.length === 0 ? timeless() : null
        return Reflect.construct(target, time === null ? parameters : [time], newTarget) as Date
      },
      apply(target) {
        const time = timeless()
        return time === null ? target() : new Own(time).toString()
      },
      get: (target, name) => (name === "now" ? now : Reflect.get(target, name, target)),
    })
}

/**
 * Replaces a property of an object. `watched` receives the old value and returns the new value.
 * Returns a function that restores the old value.
 */
function replace<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  watched: (own: Target[Name]) => Target[Name],
): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: before?.enumerable ?? true,
    writable: true,
    value: watched(target[name]),
  })
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name)
    else Object.defineProperty(target, name, before)
  }
}
