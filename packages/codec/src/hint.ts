declare const hint: unique symbol

/** A type without values, whose text appears in a compile error and says what to write instead. */
export interface Hint<Text extends string> {
  readonly [hint]: Text
}
