declare const hint: unique symbol

/** No value has this type. A compile error shows its text, which says what to write instead. */
export interface Hint<Text extends string> {
  readonly [hint]: Text
}
