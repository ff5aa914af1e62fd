import { withIoTs } from './with-io-ts.ts'
import { withoutIoTs } from './without-io-ts.ts'

/**
 * Makes this package understand the codecs of io-ts. Only bundles that the plugin made need this. The plugin adds the
 * call to modules whose codecs it does not compile.
 */
export function understandIoTs(): void {
  Object.assign(withoutIoTs, withIoTs)
}
