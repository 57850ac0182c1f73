/** Returns whether a name suggests a secret value: `password`, `apiKey`, `authorization`. */
export const isSecretName = (name: string): boolean =>
  /passw|passphrase|secret|credential|authorization|cookie|api[-_]?key|private[-_]?key|access[-_]?key|(^|[-_.a-z])token$/i.test(
    name,
  )
