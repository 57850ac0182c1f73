import { randomUUID } from "node:crypto"
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { findWorkflows } from "../../adapters/files/find-workflows.js"
import type { FileWithText, StudioFile } from "../api.js"
import type { CompileAs } from "../../serving/compile-as.js"
import { HttpError } from "../../serving/http-error.js"

/** Larger files are not opened, in bytes. */
const largest = 1024 * 1024

/** The files of one folder: nothing outside of it is listed, read or written. */
export class Workspace {
  readonly folder: string
  readonly compileAs: CompileAs
  /** Where the studio was started for one file: only that is shown. */
  readonly #only: string | null

  constructor(place: string, compileAs: CompileAs) {
    this.compileAs = compileAs
    const whole = realpathSync(resolve(place))
    const isFolder = statSync(whole).isDirectory()
    this.folder = isFolder ? whole : dirname(whole)
    this.#only = isFolder ? null : basename(whole)
  }

  list(): readonly StudioFile[] {
    if (this.#only !== null) return [this.#told(this.#only)]
    return findWorkflows(this.folder).map((path) => this.#told(path))
  }

  read(path: string): FileWithText {
    const whole = this.whole(path)
    if (statSync(whole).size > largest)
      throw new HttpError(413, {
        code: "config_too_large",
        message: `"${path}" is larger than the limit of the studio (${largest} bytes)`,
      })
    return { ...this.#told(path), text: readFileSync(whole, "utf8") }
  }

  /** Replaces the file in one step, so that nobody reads half of it. */
  async write(path: string, text: string): Promise<void> {
    const whole = this.whole(path)
    // A name that nobody can have laid a link under, and none is followed.
    const beside = `${whole}.${randomUUID()}.studio`
    await writeFile(beside, text, { mode: statSync(whole).mode, flag: "wx" })
    await rename(beside, whole)
  }

  /** The file on the disk. */
  whole(path: string): string {
    const named = resolve(this.folder, path)
    const missing = new HttpError(404, {
      code: "missing_file",
      message: `the file "${path}" does not exist in ${this.folder}`,
    })
    if (!isInside(this.folder, named) || !existsSync(named)) throw missing
    const real = realpathSync(named)
    if (!isInside(this.folder, real) || !statSync(real).isFile()) throw missing
    if (
      this.#only !== null &&
      relative(this.folder, named) !== this.#only &&
      dirname(named) === this.folder
    )
      throw missing
    return real
  }

  /** The scenario beside a file; null where there is none. */
  scenarioOf(path: string): string | null {
    const beside = join(dirname(resolve(this.folder, path)), "scenario.json")
    return isInside(this.folder, beside) &&
      existsSync(beside) &&
      isInside(this.folder, realpathSync(beside))
      ? beside
      : null
  }

  #told(path: string): StudioFile {
    return { path, scripted: this.scenarioOf(path) !== null }
  }
}

const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
