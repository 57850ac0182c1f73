/** The fields of an object that are not null; those that can be null become optional. */
export type WithoutNulls<Fields> = {
  readonly [Name in keyof Fields as null extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  readonly [Name in keyof Fields as null extends Fields[Name] ? Name : never]?: NonNullable<
    Fields[Name]
  >
}

/**
 * Returns a copy of an object without the fields that are null. Use it where a format that omits
 * absent fields is written: inside the compiler, every field is present and null means absent.
 */
export function withoutNulls<Fields extends object>(fields: Fields): WithoutNulls<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== null)
  // The type leaves out exactly the fields that the filter leaves out.
  return Object.fromEntries(present) as WithoutNulls<Fields>
}
