/** One case of one row of a contract page, tried on the function side and on the platform. */
export interface ContractCase {
  /** The anchor of the row, such as `record.messageId`. */
  readonly row: string
  /**
   * A case that keeps a row has the row's property, and shows that it holds. A case that breaks a row departs from it
   * in one place, or exceeds its limit by one, and shows that this is noticed.
   */
  readonly kind: 'keeps' | 'breaks'
  /** The case in words. */
  readonly name: string
  /** Throws, or rejects, when the row does not hold on this side. */
  readonly sides: Sides
}

export interface Sides {
  /** Tries a handler with the family's plugin, or an export of the family's contract. */
  readonly function: () => unknown
  /** Tries the platform: with an event, or with a request, a mail or a message to its listeners. */
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
