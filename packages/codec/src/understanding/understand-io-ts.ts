import { withIoTs } from './with-io-ts.ts'
import { withoutIoTs } from './without-io-ts.ts'

/**
 * Makes this package understand io-ts codecs. Only bundles made by the bundler plugin need this call. The plugin adds
 * the call to modules whose codecs it does not compile.
 */
export function understandIoTs(): void {
  Object.assign(withoutIoTs, withIoTs)
}
