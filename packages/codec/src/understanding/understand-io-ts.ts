import { withIoTs } from './with-io-ts.ts'
import { withoutIoTs } from './without-io-ts.ts'

/**
 * Makes this package understand the codecs of io-ts. Only a bundle that the plugin made needs to call this, and the plugin
 * does so for modules whose codecs it leaves as they are.
 */
export function understandIoTs(): void {
  Object.assign(withoutIoTs, withIoTs)
}
