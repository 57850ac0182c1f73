import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { FolderOptions } from "../../src/adapters/files/index.js"
import { openFolder } from "../../src/adapters/files/index.js"
import { compile } from "../../src/compiler/index.js"
import { temporaryFolder } from "../support/temporary-folder.js"

const agent = (name: string): string => `name: ${name}\nmodel: large\ninstruction: Work.\n`

const sequence = (...paths: readonly string[]): string =>
  `agent_class: SequentialAgent\nname: all\nsub_agents:\n${paths.map((path) => `  - config_path: ${path}\n`).join("")}`

/** Creates a folder `agents` with these files, next to a file that the folder must not read. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const outer = temporaryFolder("agents-")
  const folder = join(outer, "agents")
  writeFileSync(join(outer, "outside.yaml"), agent("stranger"))
  for (const [file, text] of Object.entries({ ".": "", ...files })) {
    mkdirSync(join(folder, file, ".."), { recursive: true })
    if (file !== ".") writeFileSync(join(folder, file), text)
  }
  return folder
}

const said = (folder: string, options?: FolderOptions): readonly string[] =>
  compile(openFolder(folder, options)).diagnostics.map(
    ({ code, file, line }) => `${code} ${file}:${line}`,
  )

describe("a folder of Agent Config YAML", () => {
  test("the root agent is in root_agent.yaml, or in the file that is opened", () => {
    const folder = folderWith({
      "root_agent.yaml": sequence("team/writer.yaml"),
      "team/writer.yaml": agent("writer"),
      "other.yaml": agent("other"),
    })
    expect(compile(openFolder(folder)).chart?.id).toBe("all")
    expect(compile(openFolder(join(folder, "root_agent.yaml"))).chart?.id).toBe("all")
    expect(compile(openFolder(join(folder, "other.yaml"))).chart?.id).toBe("other")
  })

  test("a missing folder and a folder without a root file are reported as missing_file", () => {
    expect(said(join(folderWith({}), "nowhere"))).toEqual(["missing_file nowhere:undefined"])
    expect(said(folderWith({ "writer.yaml": agent("writer") }))).toEqual([
      "missing_file root_agent.yaml:undefined",
    ])
  })

  test("symbolic links to files in the folder are followed", () => {
    const folder = folderWith({
      "root_agent.yaml": sequence("now/writer.yaml", "last.yaml"),
      "v2/writer.yaml": agent("writer"),
      "v2/critic.yaml": agent("critic"),
    })
    symlinkSync("v2", join(folder, "now"))
    symlinkSync(join(folder, "v2/critic.yaml"), join(folder, "last.yaml"))
    expect(said(folder)).toEqual([])
  })

  test("links that lead out of the folder are refused: to a file, to a folder and through another link", () => {
    const folder = folderWith({
      "root_agent.yaml": sequence("file.yaml", "up/outside.yaml", "twice.yaml", "gone.yaml"),
    })
    symlinkSync("../outside.yaml", join(folder, "file.yaml"))
    symlinkSync("..", join(folder, "up"))
    symlinkSync("file.yaml", join(folder, "twice.yaml"))
    symlinkSync("../there/is/nothing.yaml", join(folder, "gone.yaml"))
    expect(said(folder)).toEqual([4, 5, 6, 7].map((line) => `path_outside root_agent.yaml:${line}`))
  })

  test("a cycle of symbolic links is reported as unreadable_file", () => {
    const folder = folderWith({ "root_agent.yaml": sequence("a.yaml") })
    symlinkSync("b.yaml", join(folder, "a.yaml"))
    symlinkSync("a.yaml", join(folder, "b.yaml"))
    expect(said(folder)).toEqual(["unreadable_file root_agent.yaml:4"])
  })

  test("a file outside of the folder can be read with allowOutside", () => {
    const folder = folderWith({ "root_agent.yaml": sequence("../outside.yaml") })
    expect(said(folder)).toEqual(["path_outside root_agent.yaml:4"])
    expect(compile(openFolder(folder, { allowOutside: true })).chart?.agents).toHaveProperty(
      "stranger",
    )
  })

  test("a file that is too large, a pipe and a folder are reported as unreadable_file", () => {
    const folder = folderWith({
      "root_agent.yaml": sequence("large.yaml", "pipe.yaml", "team"),
      "large.yaml": "#".repeat(2 * 1024 * 1024),
      "team/writer.yaml": agent("writer"),
    })
    execFileSync("/usr/bin/env", ["mkfifo", join(folder, "pipe.yaml")])
    expect(said(folder)).toEqual([4, 5, 6].map((line) => `unreadable_file root_agent.yaml:${line}`))
  })
})
