export { type TextField, textFields, textForms } from '../io-ts/text-fields.ts'
export { exactSourceOf, prepare, prepareExactGuard, prepareGuard, sourceOf } from '../ready/prepare.ts'
export { type Names, printReady } from '../ready/print-ready.ts'
export { UnwritableError } from '../ready/write-table.ts'
