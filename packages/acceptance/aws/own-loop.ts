import { fileURLToPath } from 'node:url'

/** A program that takes events from the Runtime API and calls a function with them. */
export interface RuntimeClient {
  readonly name: string
  /** The file that Node starts. */
  readonly file: string
}

/** A minimal runtime client, for machines on which the original one cannot be built, and for quick tests. */
export const ownLoop: RuntimeClient = {
  name: 'a minimal runtime client',
  file: fileURLToPath(new URL('loop.js', import.meta.url)),
}
