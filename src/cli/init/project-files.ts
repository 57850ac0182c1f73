import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { thisPackage } from "../../adapters/package-folder.js"
import { UsageProblem } from "../errors/usage-problem.js"
import type { ProjectChoices } from "./project-choices.js"
import { choiceTexts } from "./project-choices.js"
import { projectManifest } from "./project-manifest.js"
import { projectPaths } from "./project-paths.js"

/** Content of each file of a new project, by relative path. Paths contain `/` on all systems. */
export type ProjectFiles = ReadonlyMap<string, string>

/**
 * Creates the files of a new project from the templates of this package. `source` is the dependency
 * on this package, as a version range or an address.
 */
export async function projectFiles(
  choices: ProjectChoices,
  name: string,
  source: string,
): Promise<ProjectFiles> {
  const { folder } = thisPackage()
  const templates = join(folder, "templates")
  if (!existsSync(templates))
    throw new UsageProblem(
      `the templates are missing: the folder ${templates} does not exist. Install the package again.`,
    )
  const { dialect, template, provider } = choices
  const language = dialect === "typescript" ? "typescript" : "javascript"
  const files = new Map<string, string>()
  for (const part of [
    "project",
    `dialects/${dialect}`,
    `workflows/${template}/all`,
    `workflows/${template}/${dialect}`,
    `providers/${provider}/all`,
    `providers/${provider}/${language}`,
  ])
    for (const [path, text] of await filesIn(join(templates, part))) files.set(path, text)
  for (const name of ["gitignore", "env.example"]) {
    files.set(`.${name}`, files.get(name) ?? "")
    files.delete(name)
  }
  files.set("package.json", `${JSON.stringify(projectManifest(choices, name, source), null, 2)}\n`)
  const paths = projectPaths(choices)
  const values = {
    name,
    dialect,
    template,
    description: choiceTexts.template[template].hint,
    workflow: paths.source,
    services: paths.servicesSource,
    models: paths.modelsSource,
  }
  const step = await readFile(join(templates, "providers", provider, "step.md"), "utf8")
  const connect = fill(step.trim(), values)
  files.set("README.md", fill(files.get("README.md") ?? "", { ...values, connect }))
  return files
}

/**
 * Reads all files in a folder and its subfolders. Returns an empty map if the folder does not
 * exist.
 */
async function filesIn(folder: string): Promise<ProjectFiles> {
  if (!existsSync(folder)) return new Map()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name)
        return [relative(folder, path).split(sep).join("/"), await readFile(path, "utf8")] as const
      }),
    ),
  )
}

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (placeholder, key: string) => values[key] ?? placeholder)
