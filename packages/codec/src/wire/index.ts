export { codecOf, failure, success } from '../codec-of.ts'
export { confidentially } from '../confidential.ts'
export { byTag } from './by-tag.ts'
export {
  type Described,
  extension,
  type Field,
  type Fields,
  type Holds,
  omittable,
  optional,
  required,
} from './field.ts'
export { array, list } from './list.ts'
export { map } from './map.ts'
export { object } from './object.ts'
export { anything, boolean, number, oneOf, string } from './values.ts'
export { where } from './where.ts'
export { errorsOf } from './wire-codec.ts'
