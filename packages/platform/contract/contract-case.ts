/** One try at one row of a contract page, through the function side and through the platform. */
export interface ContractCase {
  /** The anchor of the row, such as `record.messageId`. */
  readonly row: string
  /**
   * A case that keeps a row is what the row describes, and shows that it holds. One that breaks it departs from the row
   * in one place, or goes one beyond its limit, and shows that this is noticed or has the other consequence.
   */
  readonly kind: 'keeps' | 'breaks'
  /** What is tried, in words. */
  readonly name: string
  /** Throws, or rejects, when the side does not hold the row. */
  readonly sides: Sides
}

export interface Sides {
  /** A handler with the family's plugin, or what the family's contract exports. */
  readonly function: () => unknown
  /** The platform in a box: an event that is sent, or a request, a mail or a message to its listeners. */
  readonly platform: () => unknown
}

export const keeps = (row: string, name: string, sides: Sides): ContractCase => ({
  row,
  kind: 'keeps',
  name,
  sides,
})

export const breaks = (row: string, name: string, sides: Sides): ContractCase => ({
  row,
  kind: 'breaks',
  name,
  sides,
})
