export { isOldZod, oldZod } from '../io-ts/old-zod.ts'
export {
  formOfAll,
  formOfAny,
  type TextField,
  type TextForm,
  textFields,
  textForms,
} from '../io-ts/text-fields.ts'
export { isObject } from '../json/is-object.ts'
export { isPlainObject } from '../json/is-plain-object.ts'
export { describe } from '../problems/describe.ts'
export { isLater, isSchema } from '../standard/is-schema.ts'
export { type Ready, type ReadyGuard, readyCodec } from './ready-codec.ts'
export { refusalsOfReady } from './refusals-of-ready.ts'
export type { Node, Table } from './table.ts'
export { tableProblems } from './table-problems.ts'
