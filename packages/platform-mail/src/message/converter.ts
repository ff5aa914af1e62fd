import { Worker } from 'node:worker_threads'
import { converterThread } from '../own-code.ts'
import { type Capabilities, plainForm, type TransportForm, transportForm } from './transport-form.ts'

/** The input of the thread. */
export interface Conversion {
  readonly mail: Uint8Array
  readonly capabilities: Capabilities
}

/** The output of the thread. Buffers arrive as arrays. */
export type Converted = Omit<TransportForm, 'raw'> & { readonly raw: Uint8Array }

/** Converts mails for the relay. */
export interface Converter {
  /**
   * Converts a mail. Rejects when the thread fails, for example because it has too little memory, and when the
   * converter is closed.
   */
  readonly convert: (mail: Buffer, capabilities: Capabilities) => Promise<TransportForm>
  readonly close: () => void
}

/**
 * The maximum size of a mail that the main thread converts, in bytes. Even a hostile mail of this size takes
 * only a few milliseconds.
 */
const small = 32 * 1024

/**
 * Returns a converter that does not block the main thread. Large mails that need a change are converted in another
 * thread, one at a time.
 */
export function converter(): Converter {
  let thread: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  const apart = (conversion: Conversion) =>
    new Promise<Converted>((resolve, reject) => {
      if (closed) throw new Error('the platform is stopping')
      thread = new Worker(converterThread, {
        workerData: conversion,
        execArgv: [],
        env: {},
      })
      thread.once('message', resolve)
      thread.once('error', reject)
      thread.once('exit', () => reject(new Error('the thread that converts it ended')))
    })

  return {
    async convert(mail, capabilities) {
      if (mail.length <= small) return transportForm(mail, capabilities)
      const plain = plainForm(mail)
      if (plain !== undefined) return plain
      const conversion = last.then(() => apart({ mail, capabilities }))
      last = conversion.catch(() => {})
      const { raw, eightBitHeaders } = await conversion
      return { raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), eightBitHeaders }
    },

    close() {
      closed = true
      void thread?.terminate()
    },
  }
}
