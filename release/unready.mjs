/** What keeps a version from being released, each with what to do. Nothing of it can be known before there is a place where the project is public. */
export function unready({ manifest, changelog, changedFiles }) {
  const problems = []
  const url = manifest.repository?.url ?? ""
  if (!/^(git\+)?https:\/\/[^/]+\/.+/.test(url)) {
    problems.push(
      'package.json has no repository: add "repository": { "type": "git", "url": "git+https://..." }. npm compares it with where the package was built (provenance).',
    )
  }
  if (!(manifest.homepage ?? "").startsWith("https://"))
    problems.push('package.json has no homepage: add "homepage": "https://...".')
  const bugs = typeof manifest.bugs === "string" ? manifest.bugs : manifest.bugs?.url
  if (!(bugs ?? "").startsWith("https://"))
    problems.push(
      'package.json does not say where to report mistakes: add "bugs": { "url": "https://..." }.',
    )
  const section = sectionOf(changelog, manifest.version)
  if (section === null)
    problems.push(
      `CHANGELOG.md has no section for ${manifest.version}: begin one with "## ${manifest.version} - ", then the date.`,
    )
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(section.date))
    problems.push(
      `CHANGELOG.md gives ${manifest.version} no date: write the day of the release, as in 2001-12-31, for "${section.date}".`,
    )
  if (changedFiles.length > 0)
    problems.push(`These files are not committed: ${changedFiles.join(", ")}.`)
  return problems
}

/** The section of a version, and what stands behind its number; null if there is none. */
export function sectionOf(changelog, version) {
  const sections = [...changelog.matchAll(/^## (\S+) - (.+)\n([^]*?)(?=^## |$(?![^]))/gm)]
  const found = sections.find(([, number]) => number === version)
  return found === undefined ? null : { date: found[2].trim(), text: found[3].trim() }
}
