const firstSequenceNumber = 18_849_496_460_467_696_128n

/** Returns the sequence number of the row of a FIFO message. Sequence numbers have gaps, as the contract says. */
export function sequenceNumber(id: number | bigint): string {
  return String(firstSequenceNumber + 256n * BigInt(id))
}
