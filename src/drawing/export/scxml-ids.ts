/**
 * Generates unique ids that are valid XML ids (`xsd:ID`). Invalid characters are replaced by their
 * code, and repeated ids get a suffix such as `_2`.
 */
export class ScxmlIds {
  readonly #used = new Set<string>()

  next(key: string): string {
    const plain = [...key]
      .map((character) =>
        /^[A-Za-z0-9_.-]$/.test(character)
          ? character
          : `_${character.codePointAt(0)?.toString(16)}_`,
      )
      .join("")
    const base = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`
    let id = base
    for (let suffix = 2; this.#used.has(id); suffix++) id = `${base}_${suffix}`
    this.#used.add(id)
    return id
  }
}
