import { randomUUID } from "node:crypto"
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { findWorkflows } from "../../adapters/files/find-workflows.js"
import type { FileWithText, StudioFile } from "../api.js"
import type { CompileAs } from "../../serving/compile-as.js"
import { HttpError } from "../../serving/http-error.js"

/** Maximum size of a file that the studio opens, in bytes. */
const maxFileBytes = 1024 * 1024

/** The workflow files of one folder. It does not list, read or write files outside the folder. */
export class Workspace {
  readonly folder: string
  readonly compileAs: CompileAs
  /** The name of the only listed file, if the studio was started for one file. */
  readonly #onlyFile: string | null

  constructor(place: string, compileAs: CompileAs) {
    this.compileAs = compileAs
    const path = realpathSync(resolve(place))
    const isFolder = statSync(path).isDirectory()
    this.folder = isFolder ? path : dirname(path)
    this.#onlyFile = isFolder ? null : basename(path)
  }

  list(): readonly StudioFile[] {
    if (this.#onlyFile !== null) return [this.#describe(this.#onlyFile)]
    return findWorkflows(this.folder).map((path) => this.#describe(path))
  }

  read(path: string): FileWithText {
    const realPath = this.resolve(path)
    if (statSync(realPath).size > maxFileBytes)
      throw new HttpError(413, {
        code: "config_too_large",
        message: `"${path}" is larger than ${maxFileBytes} bytes, the limit of the studio`,
      })
    return { ...this.#describe(path), text: readFileSync(realPath, "utf8") }
  }

  /** Replaces the file atomically, so that no reader sees a part of the new text. */
  async write(path: string, text: string): Promise<void> {
    const realPath = this.resolve(path)
    // The random name and the flag prevent writing through a prepared link.
    const temporary = `${realPath}.${randomUUID()}.studio`
    await writeFile(temporary, text, { mode: statSync(realPath).mode, flag: "wx" })
    await rename(temporary, realPath)
  }

  /** Returns the real path of a file. Throws an HTTP error if the file is not in the folder. */
  resolve(path: string): string {
    const requested = resolve(this.folder, path)
    const missing = new HttpError(404, {
      code: "missing_file",
      message: `the file "${path}" does not exist in ${this.folder}`,
    })
    if (!isInside(this.folder, requested) || !existsSync(requested)) throw missing
    const realPath = realpathSync(requested)
    if (!isInside(this.folder, realPath) || !statSync(realPath).isFile()) throw missing
    if (
      this.#onlyFile !== null &&
      relative(this.folder, requested) !== this.#onlyFile &&
      dirname(requested) === this.folder
    )
      throw missing
    return realPath
  }

  /** Returns the path of the `scenario.json` in the folder of a file. null if there is none. */
  scenarioOf(path: string): string | null {
    const scenario = join(dirname(resolve(this.folder, path)), "scenario.json")
    return isInside(this.folder, scenario) &&
      existsSync(scenario) &&
      isInside(this.folder, realpathSync(scenario))
      ? scenario
      : null
  }

  #describe(path: string): StudioFile {
    return { path, scripted: this.scenarioOf(path) !== null }
  }
}

const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
