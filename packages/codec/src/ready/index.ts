export { isOldZod, oldZod } from '../io-ts/old-zod.ts'
export { isObject } from '../json/is-object.ts'
export { hasOnly, isDense, isPlainObject } from '../json/is-plain-object.ts'
export { describe } from '../problems/describe.ts'
export { isLater, isSchema } from '../schemas/is-schema.ts'
export type { Node, Table } from '../structure/table.ts'
export {
  formOfAll,
  formOfAny,
  type TextField,
  type TextForm,
  textFields,
  textForms,
} from '../structure/text-fields.ts'
export type { Structure } from '../structure/written.ts'
export { readyCodec, refusalsOfReady, tableProblems } from './ready-codec.ts'
