import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path"
import type { OpenedFile, StudioFile } from "../api.js"
import { HttpRefusal } from "../../serving/refuse.js"

/** As deep, as many, and as large as are looked at. */
const most = { depth: 5, files: 2_000, bytes: 1024 * 1024 }

const passedOver = new Set(["node_modules", "dist", "build", "coverage"])

/** A workflow tells by one of these keys. A compiled chart can be opened by its name, and is not listed: its workflow lies beside it. */
const looksLikeJson = /"(rootAgentId|subAgents|sub_agents|agent_class|agentClass|instruction)"\s*:|"agents"\s*:\s*\[/
const looksCompiled = /"formatVersion"\s*:/
const looksLikeYaml = /^(agent_class|name|sub_agents|instruction|edges)\s*:/m

/** The files of one folder: nothing outside of it is listed, read or written. */
export class Workspace {
  readonly folder: string
  /** Where the studio was started for one file: only that is shown. */
  readonly #only: string | null

  constructor(place: string) {
    const whole = realpathSync(resolve(place))
    const isFolder = statSync(whole).isDirectory()
    this.folder = isFolder ? whole : dirname(whole)
    this.#only = isFolder ? null : basename(whole)
  }

  list(): readonly StudioFile[] {
    if (this.#only !== null) return [this.#told(this.#only)]
    const found: string[] = []
    const visit = (folder: string, depth: number): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))) {
        if (entry.name.startsWith(".") || passedOver.has(entry.name) || found.length >= most.files) continue
        const path = join(folder, entry.name)
        if (entry.isDirectory() && depth < most.depth) visit(path, depth + 1)
        else if (entry.isFile() && isWorkflow(path)) found.push(relative(this.folder, path).split(sep).join("/"))
      }
    }
    visit(this.folder, 0)
    return found.map((path) => this.#told(path))
  }

  read(path: string): OpenedFile {
    const whole = this.whole(path)
    if (statSync(whole).size > most.bytes) throw new HttpRefusal(413, { code: "config_too_large", message: `"${path}" is larger than the studio opens (${most.bytes} bytes)` })
    return { ...this.#told(path), text: readFileSync(whole, "utf8") }
  }

  /** Replaces the file in one step, so that nobody reads half of it. */
  async write(path: string, text: string): Promise<void> {
    const whole = this.whole(path)
    const beside = `${whole}.${process.pid}.studio`
    await writeFile(beside, text, { mode: statSync(whole).mode })
    await rename(beside, whole)
  }

  /** The file on the disk. */
  whole(path: string): string {
    const named = resolve(this.folder, path)
    const missing = new HttpRefusal(404, { code: "missing_file", message: `there is no file "${path}" in ${this.folder}` })
    if (!isInside(this.folder, named) || !existsSync(named)) throw missing
    const real = realpathSync(named)
    if (!isInside(this.folder, real) || !statSync(real).isFile()) throw missing
    if (this.#only !== null && relative(this.folder, named) !== this.#only && dirname(named) === this.folder) throw missing
    return real
  }

  /** The scenario beside a file; null where there is none. */
  scenarioOf(path: string): string | null {
    const beside = join(dirname(resolve(this.folder, path)), "scenario.json")
    return isInside(this.folder, beside) && existsSync(beside) ? beside : null
  }

  #told(path: string): StudioFile {
    return { path, scripted: this.scenarioOf(path) !== null }
  }
}

const isInside = (folder: string, path: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

function isWorkflow(path: string): boolean {
  const ending = extname(path).toLowerCase()
  if (ending !== ".json" && ending !== ".yaml" && ending !== ".yml") return false
  if (statSync(path).size > most.bytes) return false
  const text = readFileSync(path, "utf8")
  return ending === ".json" ? looksLikeJson.test(text) && !looksCompiled.test(text) : looksLikeYaml.test(text)
}
