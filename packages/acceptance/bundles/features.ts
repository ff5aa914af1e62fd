/** The features of a family, by what they are. A feature throws if it does not work. */
export type Features = Readonly<Record<string, () => unknown>>
