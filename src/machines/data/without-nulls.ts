/**
 * The type of an object after its null fields were removed. Fields that can be null become
 * optional.
 */
export type WithoutNulls<Fields> = {
  readonly [Name in keyof Fields as null extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  readonly [Name in keyof Fields as null extends Fields[Name] ? Name : never]?: NonNullable<
    Fields[Name]
  >
}

/**
 * Returns a copy of an object without its null fields. In the compiler, an absent field is null. In
 * charts, it is omitted.
 */
export function withoutNulls<Fields extends object>(fields: Fields): WithoutNulls<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== null)
  // The type omits exactly the fields that the filter removes.
  return Object.fromEntries(present) as WithoutNulls<Fields>
}
