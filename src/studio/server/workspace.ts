import { randomUUID } from "node:crypto"
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { rename, writeFile } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { findWorkflows } from "../../adapters/files/find-workflows.js"
import type { FileWithText, StudioFile } from "../api.js"
import type { WorkflowDescription } from "./describe-workflow.js"
import { describeWorkflow } from "./describe-workflow.js"
import type { CompileAs } from "../../serving/compile-as.js"
import { HttpError } from "../../serving/http-error.js"

/** Maximum size of a file that the studio opens, in bytes. */
const maxFileBytes = 1024 * 1024

/**
 * The workflow files in the folder that the studio opened. Files outside this folder are not
 * listed, read or written.
 */
export class Workspace {
  readonly folder: string
  readonly compileAs: CompileAs
  /** Name of the only file to list, if the studio was started for a file. Otherwise null. */
  readonly #onlyFile: string | null
  /**
   * Cached names and descriptions of files, and their references to other files, by path. `version`
   * identifies the content of the file.
   */
  readonly #described = new Map<
    string,
    { readonly version: string; readonly description: WorkflowDescription }
  >()
  /**
   * Path of the workflow that includes a file, by the path of the included file. Updated whenever
   * the files are listed.
   */
  readonly #owners = new Map<string, string>()
  /**
   * Real paths (without symbolic links) of the modules that the user has allowed since the studio
   * was started.
   */
  readonly #allowedModules = new Set<string>()

  constructor(fileOrFolder: string, compileAs: CompileAs) {
    this.compileAs = compileAs
    const path = realpathSync(resolve(fileOrFolder))
    const isFolder = statSync(path).isDirectory()
    this.folder = isFolder ? path : dirname(path)
    this.#onlyFile = isFolder ? null : basename(path)
    this.list()
  }

  list(): readonly StudioFile[] {
    const paths = this.#onlyFile === null ? findWorkflows(this.folder) : [this.#onlyFile]
    const listed = new Set(paths)
    this.#owners.clear()
    for (const path of paths)
      for (const reference of this.#descriptionOf(path).references)
        if (listed.has(reference) && reference !== path && !this.#owners.has(reference))
          this.#owners.set(reference, path)
    return paths.map((path) => this.#describe(path))
  }

  read(path: string): FileWithText {
    const realPath = this.resolve(path)
    const root = this.rootOf(path)
    if (statSync(realPath).size > maxFileBytes)
      throw new HttpError(413, {
        code: "config_too_large",
        message: `"${path}" is larger than ${maxFileBytes} bytes, the limit of the studio`,
      })
    return {
      ...this.#describe(path),
      text: readFileSync(realPath, "utf8"),
      root: root === path ? null : { path: root, name: this.#descriptionOf(root).name },
    }
  }

  /**
   * Replaces a file atomically, so that no other program reads an incomplete text. If `base` is
   * defined, the file is only replaced if its current text equals `base`.
   *
   * @throws HttpError `file_changed` if the current text differs from `base`
   */
  async write(path: string, text: string, base?: string): Promise<void> {
    const realPath = this.resolve(path)
    if (base !== undefined && this.read(path).text !== base)
      throw new HttpError(409, {
        code: "file_changed",
        message: `another program has changed "${path}" on disk after it was opened; reload the file, or overwrite it`,
      })
    // The random name and the flag `wx` prevent writing through a symbolic link that an attacker
    // has created.
    const temporary = `${realPath}.${randomUUID()}.studio`
    await writeFile(temporary, text, { mode: statSync(realPath).mode, flag: "wx" })
    await rename(temporary, realPath)
  }

  /**
   * Resolves a path, including symbolic links, to an absolute path. Throws an HTTP error if the
   * file does not exist or is not in the workspace.
   */
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

  /**
   * Returns the path of the scenario file of a workflow. This is `NAME.scenario.json` for the
   * workflow `NAME.json` or `NAME.yaml`, otherwise `scenario.json`. If neither exists, returns the
   * scenario file of the workflow that includes the file, or null.
   */
  scenarioOf(path: string): string | null {
    return this.#firstOf(path, (file) => {
      const stem = basename(file).replace(/\.[^.]+$/, "")
      return this.#nextTo(file, `${stem}.scenario.json`) ?? this.#nextTo(file, "scenario.json")
    })
  }

  /**
   * Returns the path of the file `services.mjs`, which contains host functions, in the folder of a
   * workflow or of the workflow that includes it. Returns null if there is no such file.
   */
  moduleOf(path: string): string | null {
    return this.#firstOf(path, (file) => this.#nextTo(file, "services.mjs"))
  }

  /**
   * Returns the path of the outermost workflow that includes a file. If no workflow includes it,
   * returns the path of the file.
   */
  rootOf(path: string): string {
    return this.#withOwners(path).at(-1) ?? path
  }

  /**
   * Calls `find` with the path of a file, then with the path of the workflow that includes the
   * file, and so on. Returns the first result that is not null.
   */
  #firstOf(path: string, find: (file: string) => string | null): string | null {
    return this.#withOwners(path).reduce<string | null>((found, file) => found ?? find(file), null)
  }

  /**
   * Returns the path of a file, then of the workflow that includes it, and so on up to the
   * outermost workflow.
   */
  #withOwners(path: string): readonly string[] {
    const chain = [path]
    for (
      let owner = this.#owners.get(path);
      owner !== undefined && !chain.includes(owner);
      owner = this.#owners.get(owner)
    )
      chain.push(owner)
    return chain
  }

  /**
   * Returns the path of a workflow's module with host functions if the user has allowed it,
   * otherwise null. The studio never executes other modules.
   */
  allowedModuleOf(path: string): string | null {
    const module = this.moduleOf(path)
    return module !== null && this.isAllowed(module) ? module : null
  }

  isAllowed(module: string): boolean {
    return existsSync(module) && this.#allowedModules.has(realpathSync(module))
  }

  /**
   * Allows or forbids the use of a workflow's module with host functions. The choice is valid until
   * the studio ends.
   */
  allowModule(path: string, isAllowed: boolean): void {
    this.resolve(path)
    const module = this.moduleOf(path)
    if (module === null)
      throw new HttpError(404, {
        code: "missing_file",
        message: `the folder of "${path}" does not contain a file services.mjs`,
      })
    if (isAllowed) this.#allowedModules.add(realpathSync(module))
    else this.#allowedModules.delete(realpathSync(module))
  }

  /**
   * Returns the path of the file `name` in the folder of the file `path`. Returns null if the file
   * does not exist or is outside the workspace.
   */
  #nextTo(path: string, name: string): string | null {
    const file = join(dirname(resolve(this.folder, path)), name)
    return isInside(this.folder, file) &&
      existsSync(file) &&
      isInside(this.folder, realpathSync(file))
      ? file
      : null
  }

  #describe(path: string): StudioFile {
    const { name, description } = this.#descriptionOf(path)
    const [scenario, module] = [this.scenarioOf(path), this.moduleOf(path)]
    return {
      path,
      name,
      description,
      partOf: this.#owners.get(path) ?? null,
      scenario: scenario === null ? null : basename(scenario),
      module:
        module === null ? null : { name: basename(module), isAllowed: this.isAllowed(module) },
    }
  }

  #descriptionOf(path: string): WorkflowDescription {
    const file = join(this.folder, path)
    const { mtimeMs, size } = statSync(file)
    const version = `${mtimeMs} ${size}`
    const known = this.#described.get(path)
    if (known?.version === version) return known.description
    const description = describeWorkflow(
      path,
      size > maxFileBytes ? "" : readFileSync(file, "utf8"),
    )
    this.#described.set(path, { version, description })
    return description
  }
}

const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
