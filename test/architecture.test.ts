import { readFileSync, readdirSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { describe, expect, test } from "vitest"

/** The layers, bottom up. For each layer: the other layers and the packages that its files may import. */
const layers: Readonly<
  Record<string, { readonly below: readonly string[]; readonly packages: readonly string[] }>
> = {
  errors: { below: [], packages: [] },
  expression: { below: ["errors"], packages: [] },
  regex: { below: [], packages: [] },
  template: { below: ["errors", "regex"], packages: ["jsonata"] },
  machines: { below: ["errors", "expression"], packages: [] },
  policies: { below: ["machines"], packages: [] },
  openapi: { below: ["machines"], packages: [] },
  compiler: {
    below: ["errors", "expression", "template", "machines", "policies", "openapi"],
    packages: ["jsonc-parser", "yaml", "ms", "@noble/hashes"],
  },
  runtime: {
    below: ["errors", "expression", "regex", "machines", "policies"],
    packages: ["xstate", "rxjs", "@cfworker/json-schema"],
  },
  drawing: { below: ["errors", "machines"], packages: ["elkjs", "#elkjs"] },
  analysis: { below: ["errors", "expression", "machines", "policies"], packages: [] },
  adk: { below: ["errors", "machines", "compiler", "runtime"], packages: [] },
  evaluation: { below: ["errors", "expression", "machines", "compiler", "runtime"], packages: [] },
  client: { below: ["machines"], packages: ["eventsource-parser"] },
  react: {
    below: ["errors", "machines", "runtime", "client", "run-chart"],
    packages: ["react"],
  },
  "run-chart": {
    below: ["errors", "machines", "runtime", "client", "serving"],
    packages: [],
  },
  "adk-on-node": { below: ["adk", "runtime", "adapters"], packages: [] },
  adapters: {
    below: ["errors", "template", "machines", "compiler", "runtime"],
    packages: [
      "undici",
      "hono",
      "@hono/node-server",
      "zod",
      "@modelcontextprotocol/client",
      "xstate",
      "@statelyai/inspect",
      "ws",
      "@dbos-inc/dbos-sdk",
      "pg",
      "@restatedev/restate-sdk",
      "@temporalio/activity",
      "@temporalio/client",
      "@temporalio/workflow",
      "@opentelemetry/api",
      "ai",
      "eventsource-parser",
    ],
  },
  "runner-with-http": {
    below: ["compiler", "machines", "runtime", "adapters"],
    packages: [],
  },
  index: {
    below: ["errors", "compiler", "adapters", "runner-with-http"],
    packages: [],
  },
  "index-on-fetch": {
    below: ["errors", "compiler", "adapters", "runner-with-http"],
    packages: [],
  },
  faults: { below: ["errors", "machines", "policies", "runtime", "adapters"], packages: [] },
  serving: { below: ["errors", "compiler", "machines", "runtime"], packages: ["hono", "zod"] },
  studio: {
    below: [
      "errors",
      "compiler",
      "machines",
      "runtime",
      "drawing",
      "analysis",
      "adapters",
      "serving",
      "client",
      "run-chart",
    ],
    packages: [
      "hono",
      "@hono/node-server",
      "zod",
      "jsonc-parser",
      "yaml",
      "@cfworker/json-schema",
      "eventsource-parser",
      "preact",
      "marked",
      "codemirror",
      "@codemirror/autocomplete",
      "@codemirror/commands",
      "@codemirror/lang-json",
      "@codemirror/lang-yaml",
      "@codemirror/language",
      "@codemirror/lint",
      "@lezer/highlight",
      "@codemirror/state",
      "@codemirror/view",
    ],
  },
  server: {
    below: ["errors", "compiler", "machines", "runtime", "drawing", "adapters", "serving"],
    packages: [
      "croner",
      "hono",
      "@hono/node-server",
      "zod",
      "@a2a-js/sdk",
      "@modelcontextprotocol/server",
    ],
  },
  cli: {
    below: [
      "errors",
      "compiler",
      "machines",
      "policies",
      "runtime",
      "drawing",
      "analysis",
      "evaluation",
      "adapters",
      "faults",
      "serving",
      "studio",
      "server",
    ],
    packages: ["commander", "@clack/prompts", "fast-string-width", "zod", "@resvg/resvg-js"],
  },
}

/** The layers that may import modules of Node.js. */
const onNode = ["adapters", "faults", "studio", "server", "cli"]

/** The index files of package entries. */
const entries = [
  "index.ts",
  "compiler/index.ts",
  "machines/index.ts",
  "runtime/index.ts",
  "expression/index.ts",
  "analysis/index.ts",
  "adk/index.ts",
  "evaluation/index.ts",
  "client/index.ts",
  "react/index.ts",
  "run-chart/index.ts",
  "adapters/inspect/stately/index.ts",
  "adapters/inspect/xstate-inspect/index.ts",
]

const root = resolve(import.meta.dirname, "../src")

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"),
)

/** Components of pages import their style sheets. */
const styleSheets = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".css"),
)

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const importsOf = (file: string): readonly Import[] => {
  const text = readFileSync(join(root, file), "utf8")
  const found = [
    ...text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^"'`;]*?\sfrom\s)?"([^"]+)"/gm),
    ...text.matchAll(/\bimport\(\s*()"([^"]+)"/g),
  ]
  return found.map((match) => ({
    from: file,
    to: match[2] ?? "",
    typeOnly: match[1] !== undefined && match[1] !== "",
  }))
}

const imports = new Map(files.map((file) => [file, importsOf(file)]))

const isInside = ({ to }: Import): boolean => to.startsWith(".")

const targetOf = ({ from, to }: Import): string =>
  sourceOf(relative(root, resolve(root, dirname(from), to)))

/** Returns the source file of an import, which has the name of the built file. */
function sourceOf(built: string): string {
  const source = built.replace(/\.js$/, ".ts")
  return files.includes(source) ? source : files.includes(`${source}x`) ? `${source}x` : source
}

const layerOf = (file: string): string => file.split("/")[0]?.replace(/\.ts$/, "") ?? ""

const packageOf = (to: string): string =>
  (to.startsWith("@") ? to.split("/").slice(0, 2) : to.split("/").slice(0, 1)).join("/")

const all = [...imports.values()].flat()

const targetsOf = (file: string, counts: (link: Import) => boolean): readonly string[] =>
  (imports.get(file) ?? []).filter((link) => isInside(link) && counts(link)).map(targetOf)

/** Returns the cycles of a graph, each as the names along it. */
function cyclesOf(
  nodes: readonly string[],
  next: (node: string) => readonly string[],
): readonly string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) {
      cycles.push([...path.slice(path.indexOf(node)), node].join(" -> "))
      return
    }
    if (done.has(node)) return
    for (const target of next(node)) visit(target, [...path, node])
    done.add(node)
  }
  for (const node of nodes) visit(node, [])
  return cycles
}

describe("layers of src", () => {
  test("the table of layers contains every folder and file directly in src, and no others", () => {
    expect([...new Set(files.map(layerOf))].sort()).toEqual(Object.keys(layers).sort())
  })

  test("a file imports only its own layer and those below it", () => {
    const wrong = all.filter(isInside).filter((link) => {
      const [from, to] = [layerOf(link.from), layerOf(targetOf(link))]
      return from !== to && !(layers[from]?.below.includes(to) ?? false)
    })
    expect(wrong.map((link) => `${link.from} -> ${targetOf(link)}`)).toEqual([])
  })

  test("a file uses only the packages of its layer", () => {
    const wrong = all
      .filter((link) => !isInside(link) && !link.to.startsWith("node:"))
      .filter(({ from, to }) => !(layers[layerOf(from)]?.packages.includes(packageOf(to)) ?? false))
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test("every relative import leads to an existing file", () => {
    const known = new Set([...files, ...styleSheets])
    expect(
      all
        .filter(isInside)
        .filter((link) => !known.has(targetOf(link)))
        .map((link) => `${link.from} -> ${link.to}`),
    ).toEqual([])
  })

  test("only some layers import modules of Node.js", () => {
    const wrong = all.filter(
      ({ from, to }) => to.startsWith("node:") && !onNode.includes(layerOf(from)),
    )
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test("no file imports an index.ts of its own layer, which is for package entries", () => {
    const doors = all
      .filter(isInside)
      .filter((link) => targetOf(link).endsWith("index.ts") && !link.from.endsWith("index.ts"))
      .filter((link) => targetOf(link) !== "expression/index.ts")
      .filter((link) => layerOf(link.from) === layerOf(targetOf(link)))
    expect(doors.map((link) => `${link.from} -> ${targetOf(link)}`)).toEqual([])
  })

  test("no file imports itself through other files, except with type-only imports", () => {
    expect(cyclesOf(files, (file) => targetsOf(file, (link) => !link.typeOnly))).toEqual([])
  })

  // Sub-folders of these layers must not import each other in cycles. Sub-folders of the other layers still do.
  const groupedByConcept = [
    "compiler",
    "adk",
    "expression",
    "machines",
    "runtime",
    "studio",
    "cli",
    "serving",
    "server",
    "adapters",
    "analysis",
    "drawing",
    "faults",
    "regex",
    "template",
  ]

  test.each(groupedByConcept)(
    "the sub-folders of %s do not import each other in cycles, not even with type-only imports",
    (layer) => {
      const inLayer = files.filter((file) => layerOf(file) === layer)
      const folders = [...new Set(inLayer.map((file) => dirname(file)))]
      const importedBy = (folder: string): readonly string[] => [
        ...new Set(
          inLayer
            .filter((file) => dirname(file) === folder)
            .flatMap((file) => targetsOf(file, () => true))
            .filter((target) => layerOf(target) === layer)
            .map((target) => dirname(target))
            .filter((target) => target !== folder),
        ),
      ]
      expect(cyclesOf(folders, importedBy)).toEqual([])
    },
  )

  test.each(groupedByConcept)("no folder of %s contains more than 25 files", (layer) => {
    const counts = new Map<string, number>()
    for (const file of files)
      if (layerOf(file) === layer) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > 25)).toEqual([])
  })

  test("every exported type has a unique name", () => {
    const owners = new Map<string, string[]>()
    for (const file of files)
      for (const [, name = ""] of readFileSync(join(root, file), "utf8").matchAll(
        /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
      ))
        owners.set(name, [...(owners.get(name) ?? []), file])
    expect([...owners].filter(([, from]) => from.length > 1)).toEqual([])
  })

  test("an optional field is added with ...(condition && { field })", () => {
    const nested = /(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*?/.source
    const conditional = new RegExp(
      `\\.\\.\\.\\(${nested}(?:\\?\\s*\\{\\}\\s*:|:\\s*\\{\\}\\s*\\))`,
      "g",
    )
    const found = (text: string): readonly string[] =>
      [...text.matchAll(conditional)].map(([spread]) => spread)
    expect(
      found("{ ...(x.f() === undefined ? {} : { x }), ...(a && { x: [b ? 1 : 2] }) }"),
    ).toEqual(["...(x.f() === undefined ? {} :"])
    expect(found("{ ...(x(y()) ? { x } : {}), ...(a !== null && { a }) }")).toEqual([
      "...(x(y()) ? { x } : {})",
    ])
    const wrong = files.flatMap((file) =>
      found(readFileSync(join(root, file), "utf8")).map((spread) => `${file}: ${spread}`),
    )
    expect(wrong).toEqual([])
  })

  test("no file is longer than 300 lines", () => {
    const long = files
      .map((file) => [file, readFileSync(join(root, file), "utf8").split("\n").length] as const)
      .filter(([, lines]) => lines > 301)
    expect(long).toEqual([])
  })
})

describe("restrictions of the core", () => {
  const reachable = (entry: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const visit = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      for (const link of imports.get(file) ?? [])
        if (isInside(link) && !link.typeOnly) visit(targetOf(link))
    }
    visit(entry)
    return seen
  }

  test.each(entries.slice(1))("%s imports neither modules of Node.js nor zod", (entry) => {
    const used = [...reachable(entry)]
      .flatMap((file) => imports.get(file) ?? [])
      .filter(
        ({ to, typeOnly }) => !typeOnly && (to.startsWith("node:") || packageOf(to) === "zod"),
      )
    expect(used.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  test("the core uses no clock, no randomness and no I/O outside runtime/host", () => {
    const core = files.filter(
      (file) =>
        ["errors", "expression", "machines", "compiler", "runtime", "drawing", "analysis"].includes(
          layerOf(file),
        ) && !file.startsWith("runtime/host/"),
    )
    const forbidden =
      /\b(Date\.now|new Date\b|Math\.random|setTimeout|setInterval|setImmediate|performance\.|crypto\.|fetch\(|process\.)/
    const wrong = core.flatMap((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .map((line, index) => ({ line, at: `${file}:${index + 1}` }))
        .filter(({ line }) => forbidden.test(line.replace(/^\s*(\/?\*|\/\/).*/, ""))),
    )
    expect(wrong).toEqual([])
  })

  test("only run-chart and the page of the studio use the DOM", () => {
    const wrong = files.filter(
      (file) =>
        layerOf(file) !== "run-chart" &&
        !file.startsWith("studio/page/") &&
        // This file contains the text of a page.
        file !== "adapters/inspect/relay/viewer-page.ts" &&
        /\b(HTML\w*Element|customElements|DOMParser)\b|\b(document|window)\.(body|\w*Element|querySelector|add)/.test(
          readFileSync(join(root, file), "utf8").replace(/^\s*(\*|\/\/).*$/gm, ""),
        ),
    )
    expect(wrong).toEqual([])
  })

  test("only the command line and the logging plugin print", () => {
    const prints = files.filter(
      (file) =>
        layerOf(file) !== "cli" &&
        !file.endsWith("adk/plugins/logging-plugin.ts") &&
        /\bconsole\.|process\.std(out|err)/.test(
          readFileSync(join(root, file), "utf8").replace(/^\s*\*.*$/gm, ""),
        ),
    )
    expect(prints).toEqual([])
  })
})
