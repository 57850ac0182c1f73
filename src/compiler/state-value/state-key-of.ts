import type { ReservedKey } from "../4-emit/state-keys.js"

/**
 * The type of `Text` after each character that is not allowed in a state key is replaced by `_`.
 */
type Plain<
  Text extends string,
  Done extends string = "",
> = Text extends `${infer First}${infer Rest}`
  ? Plain<Rest, `${Done}${First extends KeyCharacter ? First : "_"}`>
  : Done

type Letter =
  | "a"
  | "b"
  | "c"
  | "d"
  | "e"
  | "f"
  | "g"
  | "h"
  | "i"
  | "j"
  | "k"
  | "l"
  | "m"
  | "n"
  | "o"
  | "p"
  | "q"
  | "r"
  | "s"
  | "t"
  | "u"
  | "v"
  | "w"
  | "x"
  | "y"
  | "z"
type FirstCharacter = Letter | Uppercase<Letter>
type KeyCharacter = FirstCharacter | "_" | "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9"

type SafeKey<Id extends string> =
  Plain<Id> extends infer Key extends string
    ? Key extends `${FirstCharacter}${string}`
      ? Key
      : `a_${Key}`
    : never

/** The first key of the sequence `base_2`, `base_3`, ... that is not in `Taken`. */
type Twin<
  Base extends string,
  Taken extends string,
  Count extends 1[] = [1, 1],
> = `${Base}_${Count["length"]}` extends Taken
  ? Twin<Base, Taken, [...Count, 1]>
  : `${Base}_${Count["length"]}`

/**
 * The key of the XState state of the agent with the id `Id`. Characters that are not allowed in
 * keys are replaced. If the key is in `Taken`, a number is appended, as in `writer_2`. The class
 * `KeyRing` generates the same keys for charts.
 */
export type StateKeyOf<Id extends string, Taken extends string = never> =
  SafeKey<Id> extends infer Base extends string
    ? Base extends Taken | ReservedKey
      ? Twin<Base, Taken | ReservedKey>
      : Base
    : never
