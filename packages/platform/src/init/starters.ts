import type { Starter } from '@signalbox/platform-runtime'
import { program } from '../source-modules.ts'

/** The starter functions of all event sources. The first one is the default. */
export const starters: readonly Starter[] = program.modules
  .flatMap(({ starter }) => starter ?? [])
  .sort((one, other) => Number(other.isDefault ?? false) - Number(one.isDefault ?? false))
