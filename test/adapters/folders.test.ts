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

/** A new folder `agents` with these files, beside a file that it must not lead to. */
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
  test("is that of its root_agent.yaml, or of any file that is named as the root", () => {
    const folder = folderWith({
      "root_agent.yaml": sequence("team/writer.yaml"),
      "team/writer.yaml": agent("writer"),
      "other.yaml": agent("other"),
    })
    expect(compile(openFolder(folder)).chart?.id).toBe("all")
    expect(compile(openFolder(join(folder, "root_agent.yaml"))).chart?.id).toBe("all")
    expect(compile(openFolder(join(folder, "other.yaml"))).chart?.id).toBe("other")
  })

  test("may be missing, or have no root", () => {
    expect(said(join(folderWith({}), "nowhere"))).toEqual(["missing_file nowhere:undefined"])
    expect(said(folderWith({ "writer.yaml": agent("writer") }))).toEqual([
      "missing_file root_agent.yaml:undefined",
    ])
  })

  test("follows links inside of it", () => {
    const folder = folderWith({
      "root_agent.yaml": sequence("now/writer.yaml", "last.yaml"),
      "v2/writer.yaml": agent("writer"),
      "v2/critic.yaml": agent("critic"),
    })
    symlinkSync("v2", join(folder, "now"))
    symlinkSync(join(folder, "v2/critic.yaml"), join(folder, "last.yaml"))
    expect(said(folder)).toEqual([])
  })

  test("is left over no link: neither by a file, nor by a folder, nor by a link to a link", () => {
    const folder = folderWith({
      "root_agent.yaml": sequence("file.yaml", "up/outside.yaml", "twice.yaml", "gone.yaml"),
    })
    symlinkSync("../outside.yaml", join(folder, "file.yaml"))
    symlinkSync("..", join(folder, "up"))
    symlinkSync("file.yaml", join(folder, "twice.yaml"))
    symlinkSync("../there/is/nothing.yaml", join(folder, "gone.yaml"))
    expect(said(folder)).toEqual([4, 5, 6, 7].map((line) => `path_outside root_agent.yaml:${line}`))
  })

  test("does not go in a circle of links", () => {
    const folder = folderWith({ "root_agent.yaml": sequence("a.yaml") })
    symlinkSync("b.yaml", join(folder, "a.yaml"))
    symlinkSync("a.yaml", join(folder, "b.yaml"))
    expect(said(folder)).toEqual(["unreadable_file root_agent.yaml:4"])
  })

  test("may be left where that is allowed", () => {
    const folder = folderWith({ "root_agent.yaml": sequence("../outside.yaml") })
    expect(said(folder)).toEqual(["path_outside root_agent.yaml:4"])
    expect(compile(openFolder(folder, { allowOutside: true })).chart?.agents).toHaveProperty(
      "stranger",
    )
  })

  test("gives no file of absurd size, waits for no pipe, and takes no bytes for text", () => {
    const folder = folderWith({
      "root_agent.yaml": sequence("large.yaml", "pipe.yaml", "team"),
      "large.yaml": "#".repeat(2 * 1024 * 1024),
      "team/writer.yaml": agent("writer"),
    })
    execFileSync("/usr/bin/env", ["mkfifo", join(folder, "pipe.yaml")])
    expect(said(folder)).toEqual([4, 5, 6].map((line) => `unreadable_file root_agent.yaml:${line}`))
  })
})
