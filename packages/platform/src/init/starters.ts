import type { Starter } from '@signalbox/platform-runtime'
import { program } from '../source-modules.ts'

/** The starters of all sources, the default first. */
export const starters: readonly Starter[] = program.modules
  .flatMap(({ starter }) => starter ?? [])
  .sort((one, other) => Number(other.isDefault ?? false) - Number(one.isDefault ?? false))
