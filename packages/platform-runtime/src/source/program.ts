import type { NamedDialect } from '../dialect/dialect.ts'
import type { AnySourceModule } from './source-module.ts'

/** What a platform is made of. */
export interface Program {
  /** Every source that a configuration can ask for. */
  readonly modules: readonly AnySourceModule[]
  /** The dialects that a function can name. */
  readonly dialects: { readonly [name: string]: NamedDialect }
}
