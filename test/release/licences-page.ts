import type { Bundled, Licensed, ThirdParties } from "./licences.js"

/** Licenses that require only attribution. */
export const welcome = ["MIT", "ISC", "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"]

/** Licenses with further requirements, which only optional packages may have, and the reason why they are acceptable. */
export const noted: Readonly<Record<string, string>> = {
  "EPL-2.0 OR GPL-3.0-or-later":
    "elkjs lays out drawings. It is used as it is, under the EPL, and not handed on with this package",
  "MPL-2.0":
    "@resvg/resvg-js makes PNG out of SVG. It is used as it is, and not handed on with this package",
}

export function printLicences({ needed, optional, peers, bundled }: ThirdParties): string {
  return `# Licences of others

Made by \`npm run licences\` from the lock file and the list of bundled modules: a test fails when this page is behind. The package itself is
under the [MIT licence](LICENSE).

## Included in the package

\`dist/\` includes code of these packages, under these licences:

${table(bundled)}

${texts(bundled)}
## Installed with it

${table(needed)}

## Installed where it can be

\`npm install --omit=optional\` leaves them out. Those whose names differ by platform are one program, of which the one that fits is installed.

${table(optional)}

${notes(optional)}

## Used where you install them

In the versions that the tests of this package were run with:

${table(peers)}
`
}

const table = (packages: readonly Licensed[]): string =>
  [
    "| Package | Version | Licence |",
    "| --- | --- | --- |",
    ...packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
  ].join("\n")

const notes = (packages: readonly Licensed[]): string =>
  Object.entries(noted)
    .filter(([licence]) => packages.some((one) => one.licence === licence))
    .map(([licence, note]) => `- ${licence}: ${note}.`)
    .join("\n")

/** Returns each license text once, under the names of all packages that have it. */
function texts(packages: readonly Bundled[]): string {
  const named = new Map<string, string[]>()
  for (const { name, text } of packages) named.set(text, [...(named.get(text) ?? []), name])
  return [...named]
    .map(([text, names]) => `### ${names.join(", ")}\n\n\`\`\`text\n${text}\n\`\`\`\n`)
    .join("\n")
}
