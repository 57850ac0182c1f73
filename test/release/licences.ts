import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { build } from "vite"
import { bundleInput } from "../../release/bundle-input.mjs"

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly peer?: boolean
  readonly optional?: boolean
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface Licensed {
  readonly name: string
  readonly version: string
  readonly licence: string
}

export interface Bundled extends Licensed {
  readonly text: string
}

/** The packages whose code runs with this package, grouped by how they are installed. */
export interface ThirdParties {
  readonly needed: readonly Licensed[]
  /** Installed if the platform supports them, but not with `--omit=optional`. */
  readonly optional: readonly Licensed[]
  /** Used if the user has installed them. */
  readonly peers: readonly Licensed[]
  /** Packages whose code is in dist/: in the studio's page, and in the bundle of src/. */
  readonly bundled: readonly Bundled[]
}

export async function readThirdParties(root: string): Promise<ThirdParties> {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const all = Object.entries(packages).flatMap(([path, locked]) => {
    const [, name] = /.*node_modules\/(.+)$/.exec(path) ?? []
    return name === undefined || locked.version === undefined
      ? []
      : [{ locked, name, version: locked.version, licence: locked.license ?? "not said" }]
  })
  const shown = (wanted: (locked: LockedPackage) => boolean): readonly Licensed[] =>
    all
      .filter(({ locked }) => wanted(locked))
      .map(({ name, version, licence }) => ({ name, version, licence }))
      .sort(byName)
  const isInstalled = ({ dev, devOptional, peer }: LockedPackage): boolean =>
    !(dev ?? devOptional ?? peer ?? false)
  const peers = Object.keys(packages[""]?.peerDependencies ?? {}).map((name) => {
    const { version = "not installed here", license = "not said" } =
      packages[`node_modules/${name}`] ?? {}
    return { name, version, licence: license }
  })
  return {
    needed: shown((locked) => isInstalled(locked) && locked.optional !== true),
    optional: shown((locked) => isInstalled(locked) && locked.optional === true),
    peers: peers.sort(byName),
    bundled: withoutDuplicates([...(await bundledInPage(root)), ...(await inlined(root))]),
  }
}

const withoutDuplicates = (packages: readonly Bundled[]): readonly Bundled[] =>
  [...new Map(packages.map((one) => [`${one.name} ${one.version}`, one])).values()].sort(byName)

/** Bundles src/ as the build does and returns the packages whose modules are in the result. */
async function inlined(root: string): Promise<readonly Bundled[]> {
  const bundle = await rolldown({ ...bundleInput, cwd: root })
  const { output } = await bundle.generate({ format: "esm" })
  await bundle.close()
  const folders = output
    .flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    .flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [])
  return [...new Set(folders)].map(describePackage)
}

function describePackage(folder: string): Bundled {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as { readonly name: string; readonly version: string; readonly license: string }
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim()
  return { name, version, licence: license, text }
}

/** Returns the packages that the bundler includes in the page of the studio. */
async function bundledInPage(root: string): Promise<readonly Bundled[]> {
  const fileName = "licences.json"
  const built = await build({
    configFile: join(root, "src/studio/page/vite.config.mjs"),
    logLevel: "error",
    build: { write: false, minify: false, license: { fileName } },
  })
  const files = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    "output" in one ? one.output : [],
  )
  const listed = files.find((file) => file.fileName === fileName)
  if (listed?.type !== "asset")
    throw new Error("The bundler did not say whose code is in the page.")
  const entries = JSON.parse(String(listed.source)) as readonly {
    readonly name: string
    readonly version: string
    readonly identifier?: string
    readonly text?: string
  }[]
  return entries
    .map(({ name, version, identifier = "not said", text = "" }) => ({
      name,
      version,
      licence: identifier,
      text: text.trim(),
    }))
    .sort(byName)
}

const byName = (left: Licensed, right: Licensed): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : left.version < right.version ? -1 : 1
