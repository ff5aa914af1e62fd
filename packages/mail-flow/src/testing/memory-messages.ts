type RawMail = string | Uint8Array

/** Whole mails in memory, for tests of functions that read and change them. */
export interface MemoryMessages {
  readonly fetchMessage: (messageId: string) => Promise<RawMail>
  readonly replaceMessage: (messageId: string, raw: RawMail) => Promise<void>
  /** Returns the content of a mail by its message id. Undefined for an unknown mail. */
  readonly content: (messageId: string) => RawMail | undefined
}

/**
 * Returns the options with which `mail.raw()` and `mail.replace()` use mails in memory.
 * @param contents the mails by their message ids
 * @example
 * const messages = memoryMessages({ [event.messageId]: 'Subject: Hello\r\n\r\nHi!\r\n' })
 * await signalbox(mailFlow(decide, messages))(event)
 * messages.content(event.messageId)
 */
export function memoryMessages(contents: { readonly [messageId: string]: RawMail }): MemoryMessages {
  const all = new Map(Object.entries(contents))
  const unknown = (messageId: string) =>
    new Error(`There is no mail with the id ${JSON.stringify(messageId)}.`)
  return {
    async fetchMessage(messageId) {
      const raw = all.get(messageId)
      if (raw === undefined) throw unknown(messageId)
      return raw
    },
    async replaceMessage(messageId, raw) {
      if (!all.has(messageId)) throw unknown(messageId)
      all.set(messageId, raw)
    },
    content: messageId => all.get(messageId),
  }
}
