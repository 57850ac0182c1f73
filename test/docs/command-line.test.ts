import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { exitCodes } from "../../src/cli/terminal/exit-codes.js"
import { cli, isBuilt } from "../cli/command.js"
import { projectFolder } from "./markdown-blocks.js"

/** The text of the page under each third-level heading. */
const sections = new Map(
  [
    ...readFileSync(join(projectFolder, "docs/command-line.md"), "utf8").matchAll(
      /^### (.+)\n([^]*?)(?=^##|$(?![^]))/gm,
    ),
  ].map(([, title = "", text = ""]) => [title, text]),
)

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(" ", "-")
const optionsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^\| `(?:-\w, )?(--[\w-]+)/gm)].map(([, option = ""]) => option)
const groups = new Map([...sections].map(([title, text]) => [anchorOf(title), optionsIn(text)]))

/** Returns the documented options of a command: those in its section, and those of the groups to which it links. */
const documented = (command: string): readonly string[] => {
  const text = sections.get(command) ?? ""
  const linked = [...text.matchAll(/\]\(#([\w-]+)\)/g)].flatMap(
    ([, anchor = ""]) => groups.get(anchor) ?? [`no group ${anchor}`],
  )
  return [...linked, ...optionsIn(text)].sort()
}

/** The options of every command. */
const everywhere = ["--help", "--version", "--debug"]

const helpOf = async (...words: readonly string[]): Promise<string> =>
  (await cli([...words, "--help"])).stdout

function commandsIn(help: string): readonly string[] {
  const [, list = ""] = /^Commands:\n((?: .*\n)+)/m.exec(help) ?? []
  return [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help")
}

describe.skipIf(!isBuilt)("docs/command-line.md", () => {
  const commands: string[] = []
  const helps = new Map<string, string>()

  beforeAll(async () => {
    for (const name of commandsIn(await helpOf())) {
      const help = await helpOf(name)
      const inner = commandsIn(help).map((one) => `${name} ${one}`)
      commands.push(...(inner.length === 0 ? [name] : inner))
      if (inner.length === 0) helps.set(name, help)
      for (const command of inner) helps.set(command, await helpOf(...command.split(" ")))
    }
  })

  test("has a section for every command, and no others", () => {
    expect(commands).toContain("runs approve")
    const shared = [
      "Config options",
      "Service options",
      "Run options",
      "Answer options",
      "List options",
      "Server options",
    ]
    expect([...sections.keys()].filter((title) => !shared.includes(title)).sort()).toEqual(
      [...commands].sort(),
    )
  })

  test("lists exactly the options of each command", () => {
    for (const command of commands) {
      const offered = [...(helps.get(command) ?? "").matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)]
        .map(([, option = ""]) => option)
        .filter((option) => !everywhere.includes(option))
      expect(documented(command), command).toEqual(offered.sort())
    }
  })

  test("lists exactly the existing exit codes", () => {
    const listed = [
      ...readFileSync(join(projectFolder, "docs/command-line.md"), "utf8").matchAll(
        /^\| (\d+) \|/gm,
      ),
    ].map(([, code]) => Number(code))
    expect(listed).toEqual(Object.values(exitCodes))
  })
})
