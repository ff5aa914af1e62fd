const firstSequenceNumber = 18_849_496_460_467_696_128n

/**
 * Returns the sequence number of a FIFO message, from the id of its row. Sequence numbers have gaps, as the
 * contract says.
 */
export function sequenceNumber(id: number | bigint): string {
  return String(firstSequenceNumber + 256n * BigInt(id))
}
