/** The type of an object without its null fields. Fields that can be null become optional. */
export type WithoutNulls<Fields> = {
  readonly [Name in keyof Fields as null extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  readonly [Name in keyof Fields as null extends Fields[Name] ? Name : never]?: NonNullable<
    Fields[Name]
  >
}

/**
 * Returns a copy of an object without the fields that are null. The compiler uses null for absent
 * fields, but charts omit absent fields.
 */
export function withoutNulls<Fields extends object>(fields: Fields): WithoutNulls<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== null)
  // The type omits exactly the fields that the filter removes.
  return Object.fromEntries(present) as WithoutNulls<Fields>
}
