import { schemaCodec } from '../standard/schema-codec.ts'
import { onDemand } from '../standard/to-codec-on-demand.ts'

/**
 * Makes this package understand schemas of other libraries. Only bundles made by the bundler plugin need this call.
 * The plugin adds the call to modules that may make such schemas.
 */
export function understandSchemas(): void {
  onDemand.schemaCodec = schemaCodec
}
