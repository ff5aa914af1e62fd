/** The service of a shipping company, which `carrier` simulates. */
export interface Carrier {
  /** Books a parcel, and resolves to its tracking number. Rejects with the signal's reason on abort. */
  book(parcel: { readonly order: string; readonly country: string }, signal: AbortSignal): Promise<string>
}

export const carrier: Carrier = {
  async book({ order, country }, signal) {
    if (country === 'AQ') await never(signal)
    return `TRACK-${order}`
  },
}

// A booking to the Antarctic gets no answer.
function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
