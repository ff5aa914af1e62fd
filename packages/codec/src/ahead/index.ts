export { called } from '../guard/generate.ts'
export { exactSourceOf, prepare, prepareExactGuard, prepareGuard, sourceOf } from '../ready/prepare.ts'
export { type Names, printReady } from '../ready/print-ready.ts'
export { UnwritableError } from '../ready/write-table.ts'
