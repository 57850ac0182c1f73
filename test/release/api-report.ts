import type { Surface } from "./public-surface.js"

const heading = `# Public surface

What each entry of the package offers, read from the built types. Made by \`npm run api\`: a test fails when this file does not say what is there.
A change that takes something away, or asks for more, is one that breaks programs.
`

/** Returns the surface as text, in the order of the entries and then by name. */
export function printReport({ entries, declared, names }: Surface): string {
  const firstSeen = new Map<string, string>()
  const parts = [...entries].map(([entry, exported]) => {
    const lines = [...exported].sort(byName).map(([name, id]) => {
      const earlier = firstSeen.get(id)
      if (earlier !== undefined) return `// ${name}: as in ${earlier}`
      firstSeen.set(id, entry)
      return declaration(id, name)
    })
    return section(entry, lines)
  })
  const inner = [...declared.keys()]
    .filter((id) => !firstSeen.has(id))
    .map((id) => declaration(id, names.get(id) ?? ""))
  return [
    heading,
    ...parts,
    section("Not exported by name, but referred to by what is", inner.sort(byText)),
  ].join("\n")

  function declaration(id: string, name: string): string {
    const { kind = "unknown", texts = [] } = declared.get(id) ?? {}
    const own = names.get(id)
    const renamed = own === name || own === undefined ? [] : [`// ${name} is`]
    return texts.some((text) => text.startsWith("from "))
      ? `// ${name}: ${texts.join(", ")} (${kind})`
      : [...renamed, ...texts].join("\n")
  }
}

const section = (title: string, lines: readonly string[]): string =>
  `## ${title}\n\n\`\`\`ts\n${lines.join("\n\n").replace(/(^\/\/ .*: as in .*)\n(?=\n\/\/ .*: as in)/gm, "$1")}\n\`\`\`\n`

const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)
const byName = ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
  order(left, right)
/** Sorts by name. The keyword before the name is ignored, because otherwise all constants would come first. */
const byText = (left: string, right: string): number =>
  order(left.replace(/^\w+ /, ""), right.replace(/^\w+ /, "")) || order(left, right)
