import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { afterAll, expect, test } from "vitest"
import { plainObjects, withPlainObjects } from "../../release/plain-objects.mjs"

const folder = mkdtempSync(join(tmpdir(), "plain-objects-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Bundles modules by their names, of which `changed` go through the plugin, and loads the first. */
async function bundled(
  modules: Readonly<Record<string, string>>,
  changed: readonly string[] = Object.keys(modules),
): Promise<{ code: string; exports: Record<string, any> }> {
  const home = mkdtempSync(join(folder, "one-"))
  mkdirSync(join(home, "dist"))
  for (const [name, code] of Object.entries(modules))
    writeFileSync(join(home, "dist", `${name}.js`), code)
  const bundle = await rolldown({
    input: join(home, "dist", `${Object.keys(modules)[0]}.js`),
    cwd: home,
    external: (id) => !/^[./]/.test(id),
    plugins: [plainObjects(changed)],
  })
  const { output } = await bundle.write({ file: join(home, "bundle.mjs"), format: "esm" })
  await bundle.close()
  return {
    code: output[0].code,
    exports: (await import(pathToFileURL(join(home, "bundle.mjs")).href)) as Record<string, any>,
  }
}

const madeByConstructor = (code: string): boolean => /new \$?Plain/.test(code)

test("objects of constructors are what literals would have made: fields, order, prototype", async () => {
  const source = `export const make = (id, rest) => {
    const at = 3
    return { id, at, inner: { list: [{ x: rest, y: (1, 2), z: 3 }], none: undefined, some: 0 }, text: \`\${id}!\`, last: rest ?? { a: null, b: false, c: 0 }, }
  }`
  const { code, exports } = await bundled({ main: source })
  expect(madeByConstructor(code)).toBe(true)
  expect(code).not.toContain("some: 0")
  const literal = {
    id: "i",
    at: 3,
    inner: { list: [{ x: undefined, y: 2, z: 3 }], none: undefined, some: 0 },
    text: "i!",
    last: { a: null, b: false, c: 0 },
  }
  const made = exports["make"]("i", undefined)
  expect(made).toStrictEqual(literal)
  expect(JSON.stringify(made)).toBe(JSON.stringify(literal))
  expect(Object.keys(made)).toEqual(Object.keys(literal))
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
  expect(made.constructor).toBe(Object)
  expect(Object.getOwnPropertyDescriptors(made)).toStrictEqual(
    Object.getOwnPropertyDescriptors(literal),
  )
  expect(structuredClone(made)).toStrictEqual(literal)
})

test("values are computed in the order in which they stand, and a throw is the same throw", async () => {
  const source = `export const make = (note) => ({ first: note(1), second: { third: note(2), fourth: note(3), fifth: note(4) }, sixth: note(5) })`
  const { exports } = await bundled({ main: source })
  const noted: number[] = []
  exports["make"]((n: number) => noted.push(n))
  expect(noted).toEqual([1, 2, 3, 4, 5])
  expect(() =>
    exports["make"](() => {
      throw new RangeError("no")
    }),
  ).toThrow(new RangeError("no"))
})

test("awaits and yields stay in their functions", async () => {
  const source = `export const later = async (x) => ({ a: await x, b: await x, c: 3 })
    export function* each() { const got = { a: yield 1, b: yield 2, c: 3 }; return got }`
  const { exports } = await bundled({ main: source })
  expect(await exports["later"](Promise.resolve(1))).toStrictEqual({ a: 1, b: 1, c: 3 })
  const each = exports["each"]()
  each.next()
  each.next("x")
  expect(each.next("y")).toEqual({ value: { a: "x", b: "y", c: 3 }, done: true })
})

test("what a module makes while it is loaded stays, also where it calls a function for it", async () => {
  const { code, exports } = await bundled({
    main: `export const table = { a: 1, b: 2, c: 3 }\nexport const made = make()\nfunction make() { return { a: 1, b: 2, c: 3 } }`,
  })
  expect(code).toContain("a: 1")
  expect(exports["made"]).toStrictEqual(exports["table"])
})

test("objects of the same fields have one constructor, wherever they are made", async () => {
  const other = `export const other = (a, b, c) => ({ a, b, c })`
  const { code, exports } = await bundled({
    main: `import { other } from "./other.js"\nexport const make = (a, b, c) => [{ a, b, c }, other(a, b, c), { c, b, a }]`,
    other,
  })
  expect(code.match(/\.prototype = Object\.prototype/g)).toHaveLength(2)
  expect(exports["make"](1, 2, 3)).toStrictEqual([
    { a: 1, b: 2, c: 3 },
    { a: 1, b: 2, c: 3 },
    { c: 3, b: 2, a: 1 },
  ])
})

test.each([
  ["one field or none", "({ a })"],
  ["a spread", "({ ...a, b, c: 0 })"],
  ["a computed name", "({ [a]: 1, b, c: 0 })"],
  ["a text as a name", '({ "a-b": 1, b, c: 0 })'],
  ["a number as a name", "({ 1: 1, b, c: 0 })"],
  ["a method", "({ a() { return 1 }, b, c: 0 })"],
  ["a getter", "({ get a() { return 1 }, b, c: 0 })"],
  ["a function, which takes its name from its field", "({ a: () => 1, b, c: 0 })"],
  ["a function in brackets", "({ a: (function () { return 1 }), b, c: 0 })"],
  ["a class", "({ a: class {}, b, c: 0 })"],
  ["a name that all objects have", "({ toString: a, b, c: 0 })"],
  ["__proto__", "({ __proto__: a, b, c: 0 })"],
  ["a name that stands twice", "({ a: 1, b: 2, a: 3 })"],
  ["a word of the language", "({ new: a, b, c: 0 })"],
  ["a word of modules", "({ await: a, b, c: 0 })"],
  ["a word of strict code", "({ arguments: a, b, c: 0 })"],
])("stays as it is: %s", (_what, literal) => {
  const code = `export const make = (a, b) => ${literal}\n`
  expect(withPlainObjects(code)).toBe(code)
})

test("code that is none, names of its own kind and modules that are not there are errors", async () => {
  expect(() => withPlainObjects("const = 1", "broken.js")).toThrow("broken.js: ")
  expect(() => withPlainObjects("const f = ($Plain0) => ({ a: 1, b: 2, c: 3 })", "odd.js")).toThrow(
    "odd.js uses names that begin with $Plain",
  )
  await expect(bundled({ main: "export const a = 1" }, ["gone"])).rejects.toThrow(
    "modules that are not there: gone",
  )
})

test("modules that are not named stay as they are", async () => {
  const { code } = await bundled({ main: "export const make = (a, b, c) => ({ a, b, c })" }, [])
  expect(madeByConstructor(code)).toBe(false)
})
