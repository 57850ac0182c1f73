/**
 * Returns whether a value with this name is probably a secret. Examples: `password`, `apiKey`,
 * `authorization`.
 */
export const isSecretName = (name: string): boolean =>
  /passw|passphrase|secret|credential|authorization|cookie|api[-_]?key|private[-_]?key|access[-_]?key|(^|[-_.a-z])token$/i.test(
    name,
  )
